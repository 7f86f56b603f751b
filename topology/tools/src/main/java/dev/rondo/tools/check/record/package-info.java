/** Records of one topic: read, decoded, and what they have in common. */
package dev.rondo.tools.check.record;
