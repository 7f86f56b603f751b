"""The connection to Kafka, and the records that the API sends."""
