-- This one transaction may write.
set transaction read write
