/** Settings of all parts: their names in files and in the environment. */
package dev.rondo.connection.settings;
