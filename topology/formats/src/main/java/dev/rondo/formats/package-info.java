/** What all formats share: bytes in, points out; names of series made of what a format tells. */
package dev.rondo.formats;
