/** Who may change what a Connect worker runs: a guard of its REST API. */
package dev.rondo.connect.rest;
