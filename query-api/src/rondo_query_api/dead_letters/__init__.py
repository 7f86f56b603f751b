"""Dead letters: records that could not be stored, as they are in the topic ``rondo.dead-letters``."""
