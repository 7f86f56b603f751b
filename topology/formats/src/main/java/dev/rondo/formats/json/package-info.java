/** Decodes JSON objects in the dialects of their senders. */
package dev.rondo.formats.json;
