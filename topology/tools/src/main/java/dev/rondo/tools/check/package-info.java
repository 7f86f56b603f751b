/** What the records of a topic would become: read, decoded and told, and nothing is stored. */
package dev.rondo.tools.check;
