/** Offsets of the topology's consumer group and topics, and the times of records. */
package dev.rondo.history.offsets;
