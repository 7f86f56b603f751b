/** Dead letters: records that could not be stored. */
package dev.rondo.schemas.deadletters;
