"""Who may ask, from where, and what they see."""
