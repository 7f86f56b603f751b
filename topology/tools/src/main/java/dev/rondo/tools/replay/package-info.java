/** Source topics read again from earlier on: the command, its plan, and the epoch it raises. */
package dev.rondo.tools.replay;
