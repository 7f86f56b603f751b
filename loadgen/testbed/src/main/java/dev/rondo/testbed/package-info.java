/** Servers that tests share, and what a test run leaves to read. */
package dev.rondo.testbed;
