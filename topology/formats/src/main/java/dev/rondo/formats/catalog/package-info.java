/** The list of formats: detects the format of a record and creates its decoder. */
package dev.rondo.formats.catalog;
