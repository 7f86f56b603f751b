/** {@code ./rondo why}: follows one series through the whole pipeline. */
package dev.rondo.tools.why;
