package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicNamesTest {
  @Test
  void shouldPutThePrefixBeforeEachName() {
    TopicNames acme = TopicNames.of("acme.metrics");
    assertThat(Topics.OWN)
        .allSatisfy(
            topic ->
                assertThat(acme.of(topic).name())
                    .isEqualTo("acme.metrics." + topic.name().substring("rondo.".length())));
  }

  @Test
  void shouldKeepTheDefaultNames() {
    TopicNames rondo = TopicNames.of("rondo");
    assertThat(Topics.OWN).allSatisfy(topic -> assertThat(rondo.of(topic)).isEqualTo(topic));
  }

  @Test
  void shouldPreferTheOwnNameOfATopic() {
    TopicNames names = new TopicNames("acme", Map.of("bundle-rows", "rows"));
    assertThat(names.of(Topics.BUNDLE_ROWS)).isEqualTo(Topics.BUNDLE_ROWS.named("rows"));
    assertThat(names.of(Topics.SERIES).name()).isEqualTo("acme.series");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "ä", "a/b", "__acme", ".", "..", "a\n"})
  void shouldRejectAnIllegalName(String name) {
    assertThatThrownBy(() -> TopicNames.of(name)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TopicNames("acme", Map.of("series", name)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRejectAPrefixWithoutRoomForTheNames() {
    assertThatThrownBy(() -> TopicNames.of("a".repeat(201)))
        .hasMessageContaining("is not 1 to 200 of the characters");
  }

  @Test
  void shouldRejectTwoTopicsWithOneName() {
    assertThatThrownBy(() -> new TopicNames("acme", Map.of("bundle-rows", "acme.series")))
        .hasMessage("'acme.series' is the name of two topics, series and bundle-rows");
  }
}
