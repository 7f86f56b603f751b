/**
 * Data folder, installation, ports and addresses of a start, and errors that a user can correct.
 */
package dev.rondo.local.settings;
