/** The closed list of formats: finds the format of a record and makes its decoder. */
package dev.rondo.formats.catalog;
