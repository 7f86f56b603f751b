-- The branches that the request may see.
branch
