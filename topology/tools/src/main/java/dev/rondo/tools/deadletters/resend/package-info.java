/** The command dead-letters resend: plans which dead letters to resend, sends and marks them. */
package dev.rondo.tools.deadletters.resend;
