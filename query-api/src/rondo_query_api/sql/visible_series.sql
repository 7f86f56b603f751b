-- The series that the request may see.
ds
