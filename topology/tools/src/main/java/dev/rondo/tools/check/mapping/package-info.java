/** Proposals how records of a schema registry become points. */
package dev.rondo.tools.check.mapping;
