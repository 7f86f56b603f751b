/** {@code check source --all}: proposes a source for each topic of a cluster. */
package dev.rondo.tools.check.cluster;
