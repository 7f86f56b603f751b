/** What a Connect worker does when the clock of its machine is set back. */
package dev.rondo.connect.clock;
