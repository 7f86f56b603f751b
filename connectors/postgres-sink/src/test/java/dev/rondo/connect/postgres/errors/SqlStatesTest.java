package dev.rondo.connect.postgres.errors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.connect.postgres.errors.SqlStates.Verdict;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlStatesTest {

  @ParameterizedTest
  @CsvSource({
    "08001, RETRY", // connection refused
    "08006, RETRY", // connection lost
    "40001, RETRY", // serialization
    "40P01, RETRY", // deadlock
    "53100, RETRY", // disk full
    "53300, RETRY", // too many connections
    "57014, RETRY", // statement cancelled
    "57P01, RETRY", // shut down by its operator
    "57P03, RETRY", // starting up
    "58030, RETRY", // input or output
    "23503, RETRY", // a bundle that is gone
    "23505, RETRY", // another task was there just now
    "25006, RETRY", // standby
    "55P03, RETRY", // lock not available
    "55006, RETRY", // in use
    "08004, RETRY", // no password, no TLS
    "08P01, RETRY", // pgbouncer: cannot connect to server
    "25P03, RETRY", // idle in transaction
    "25P04, RETRY", // transaction timeout
    "26000, RETRY", // pgbouncer: the prepared statement is in another session
    "28000, RETRY", // pg_hba.conf
    "28P01, RETRY", // wrong password
    "3D000, RETRY", // no such database
    "53200, RETRY", // memory
    "54001, RETRY", // stack
    "22003, REJECT", // number out of range
    "22P05, REJECT", // untranslatable character
    "23502, REJECT", // not null
    "23514, REJECT", // check
    "54000, REJECT", // too long to index
    "0A000, FAIL", // not in this server
    "42P01, FAIL", // no such table
    "42501, FAIL", // no right
    "XX000, FAIL"
  })
  void shouldJudgeByState(String state, Verdict verdict) {
    assertThat(SqlStates.verdict(new SQLException("text", state))).isEqualTo(verdict);
  }

  @Test
  void shouldFailWithoutState() {
    assertThat(SqlStates.verdict(new SQLException("text"))).isEqualTo(Verdict.FAIL);
  }

  @Test
  void shouldFindStateAlongTheChain() {
    var batch = new BatchUpdateException("batch", null, new int[0]);
    batch.setNextException(new SQLException("cause", "40P01"));
    assertThat(SqlStates.verdict(batch)).isEqualTo(Verdict.RETRY);
  }

  @ParameterizedTest
  @CsvSource({
    "28P01, connection.password",
    "28000, connection.user",
    "08004, connection.password",
    "3D000, connection.url",
    "42P01, migrations",
    "42501, rondo_writer"
  })
  void shouldNameWhatToChange(String state, String key) {
    assertThat(SqlStates.advice(new SQLException("text", state))).contains(key);
  }
}
