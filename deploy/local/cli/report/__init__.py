"""Reports of a test run: the end of its output, test-report.json and junit.xml."""
