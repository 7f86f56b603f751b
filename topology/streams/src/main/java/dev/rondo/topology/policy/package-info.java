/** Which series are stored, and how: the policies file. */
package dev.rondo.topology.policy;
