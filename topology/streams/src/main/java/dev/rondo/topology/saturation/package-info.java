/** How close an instance is to the rate of points that it can process. */
package dev.rondo.topology.saturation;
