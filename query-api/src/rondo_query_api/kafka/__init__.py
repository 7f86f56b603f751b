"""What the API sends to Kafka, and how it connects."""
