/**
 * Where the data folder and the installation are, which ports and addresses a start uses, and the
 * errors that a user can correct.
 */
package dev.rondo.local.settings;
