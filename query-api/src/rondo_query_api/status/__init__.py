"""The page /status: reports of the parts of the pipeline, and problems by the rules of the alerts."""
