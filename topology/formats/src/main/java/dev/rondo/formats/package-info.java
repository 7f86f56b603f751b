/** Interfaces of decoders, naming of series, numbers, times and text, shared by all formats. */
package dev.rondo.formats;
