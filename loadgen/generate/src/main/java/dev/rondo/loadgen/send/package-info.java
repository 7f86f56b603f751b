/** Takes the turns of a plan as the clock says, and tells what Kafka has acknowledged. */
package dev.rondo.loadgen.send;
