/** What a failed transaction means for its records: retry, reject or fail. */
package dev.rondo.connect.postgres.errors;
