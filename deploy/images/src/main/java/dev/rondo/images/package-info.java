/** OCI images of the parts, from folders filled by {@code ./rondo dist}. */
package dev.rondo.images;
