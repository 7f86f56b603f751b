/** Publishes the meters of Micrometer. */
package dev.rondo.client.micrometer;
