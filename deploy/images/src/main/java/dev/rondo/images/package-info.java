/** OCI images of the parts, from folders that {@code ./rondo dist} has filled. */
package dev.rondo.images;
