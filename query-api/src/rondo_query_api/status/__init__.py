"""The page /status: reports of the parts of the pipeline, and what is wrong by the rules of the alerts."""
