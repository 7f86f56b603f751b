/** Points as JSON objects, in the dialects of those who send them. */
package dev.rondo.formats.json;
