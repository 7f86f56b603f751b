-- Allow the current transaction to write.
set transaction read write
