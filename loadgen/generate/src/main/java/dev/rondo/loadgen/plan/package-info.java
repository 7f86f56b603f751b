/** The file that says what a run sends and how far it has come: all that a verifier needs. */
package dev.rondo.loadgen.plan;
