package dev.rondo.schemas.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
  @Test
  void shouldReadAllParts() {
    var url = PostgresUrl.parse("postgresql://me:p%40ss+1@db.example:6432/metrics?sslmode=require");
    assertThat(url.jdbcUrl())
        .isEqualTo("jdbc:postgresql://db.example:6432/metrics?sslmode=require");
    assertThat(url.user()).isEqualTo("me");
    assertThat(url.password()).isEqualTo("p@ss+1");
    assertThat(url.shown())
        .isEqualTo("postgresql://me:***@db.example:6432/metrics?sslmode=require");
  }

  @Test
  void shouldFillInPortAndEmptyPassword() {
    var url = PostgresUrl.parse("postgres://me@db/metrics");
    assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/metrics");
    assertThat(url.password()).isEmpty();
    assertThat(url.shown()).isEqualTo("postgres://me@db/metrics");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "db",
        "mysql://me@db/metrics",
        "postgresql://db/metrics",
        "postgresql://me@db",
        "postgresql://me@db/",
        "a b"
      })
  void shouldRefuseOtherForms(String url) {
    assertThatThrownBy(() -> PostgresUrl.parse(url))
        .isInstanceOf(ConfigException.class)
        .hasMessage("'%s' is not postgresql://USER@HOST:PORT/DATABASE (--postgres)".formatted(url));
  }

  @Test
  void shouldNotShowThePasswordOfAMalformedUrl() {
    assertThatThrownBy(() -> PostgresUrl.parse("postgresql://me:secret@db"))
        .hasMessageContaining("'postgresql://me:***@db'");
  }
}
