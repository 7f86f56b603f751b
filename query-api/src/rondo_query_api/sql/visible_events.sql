-- The events that the request may see.
event
