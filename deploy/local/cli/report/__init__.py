"""What a test run leaves: its end on the screen, test-report.json and junit.xml."""
