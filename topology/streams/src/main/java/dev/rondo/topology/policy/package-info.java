/** Which series are kept and how: the policies file. */
package dev.rondo.topology.policy;
