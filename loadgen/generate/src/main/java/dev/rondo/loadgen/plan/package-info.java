/** The plan file: what a run sends and how far it has come. A verifier needs nothing else. */
package dev.rondo.loadgen.plan;
