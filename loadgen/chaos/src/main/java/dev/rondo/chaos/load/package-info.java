/** The points that a scenario sends, and the topics that it sends them to. */
package dev.rondo.chaos.load;
