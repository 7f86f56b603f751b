/** Which alerts each fault raises: a real Prometheus and Alertmanager beside a Rondo under load. */
package dev.rondo.chaos.alerts;
