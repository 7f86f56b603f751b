/** How late points are at each stage, from their arrival in Kafka on. */
package dev.rondo.topology.lag;
