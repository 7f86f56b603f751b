/**
 * Shared by all formats: the interfaces of decoders, the naming of series, numbers, times and text.
 */
package dev.rondo.formats;
