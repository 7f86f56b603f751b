/** How late points are at each stage, since their arrival in Kafka. */
package dev.rondo.topology.lag;
