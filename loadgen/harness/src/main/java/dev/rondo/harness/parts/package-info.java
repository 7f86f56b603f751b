/** The parts of a Rondo as processes of their own, without the script: each can be killed. */
package dev.rondo.harness.parts;
