"""The values of series: which archive is read, in which slots, with how many reads."""
