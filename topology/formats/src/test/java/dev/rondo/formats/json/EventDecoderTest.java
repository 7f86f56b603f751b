package dev.rondo.formats.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.formats.DropReason;
import dev.rondo.formats.Found;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventDecoderTest {
  private final EventDecoder decoder = new EventDecoder(TimeUnit.SECONDS, List.of());

  @Test
  void shouldReadObjectsAndArrays() {
    Found found = Found.in(Found.golden(getClass(), "events.json"), decoder);

    assertThat(found.points)
        .containsExactly(
            "deploy [web, v2] 1700000000000 by alice",
            "rollback [web, v1] 1700000040500 ",
            "alert [] 1700000000500 ",
            "restart [] 1700000100250 ");
    assertThat(found.pieces).element(2).isEqualTo("{\"what\":\"alert\"}");
    assertThat(found.drops).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"web v2 ci", "web,v2,ci", " web, v2 ,,ci,", "web,v2 ci", "web\u00a0,v2 ci"})
  void shouldSplitTagsAtCommasAndWhiteSpace(String tags) {
    assertThat(Found.in(event(tags), decoder).points)
        .containsExactly("deploy [web, v2, ci] 1700000000500 ");
    assertThat(Found.in("{\"what\":\"deploy\",\"tags\":[\"%s\"]}".formatted(tags), decoder).points)
        .containsExactly("deploy [web, v2, ci] 1700000000500 ");
  }

  @Test
  void shouldReadEachLineAsAnEvent() {
    assertThat(Found.in(Found.golden(getClass(), "events.txt"), decoder).points)
        .containsExactly(
            "deploy of web, v2 [] 1700000000500 ", "rollback of web, v1 [] 1700000000500 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                | no 'what'
          [7]                               | no 'what'
          {"what":" "}                      | no 'what'
          {"what":7}                        | 'what' is not text
          {"what":"a","data":{}}            | 'data' is not text
          {"what":"a","tags":{}}            | 'tags' is not an array
          {"what":"a","tags":["b",7]}       | 'tags' has an item that is not text
          {"what":"a","when":"yesterday"}   | 'when' is not a time like 2026-05-04T10:00:10Z: 'yesterday'
          {"what":"a","when":0}             | time 0 ms is not after 1970
          {"what":"a","when":true}          | 'when' is not a number
          {"what":"a\\u0000"}               | 'what' has a character that cannot be stored, at 2
          {"what":"a","data":"\\ud800"}     | 'data' has a character that cannot be stored, at 1
          """)
  void shouldReportWhyAnEventIsUnreadable(String record, String detail) {
    Found found = Found.in(record, decoder);

    assertThat(found.points).isEmpty();
    assertThat(found.drops).containsExactly(DropReason.UNREADABLE);
    assertThat(found.details).containsExactly(detail);
  }

  @Test
  void shouldKeepTheNeighboursOfABadEvent() {
    Found found = Found.in("{\"what\":\"a\"}{\"what\":7}{\"what\":\"b\"}{\"what", decoder);

    assertThat(found.points).containsExactly("a [] 1700000000500 ", "b [] 1700000000500 ");
    assertThat(found.drops).hasSize(2);
    assertThat(found.pieces).contains("{\"what\":7}", "{\"what");
  }

  @Test
  void shouldBoundTextsAndTags() {
    assertThat(Found.in("x".repeat(1_001), decoder).details)
        .containsExactly("'what' of 1001 characters, more than 1000");
    String tags = "1 2 3 4 5 6 7 8 9 0 ".repeat(11);
    assertThat(Found.in(event(tags), decoder).points).as("distinct tags").hasSize(1);
    StringBuilder many = new StringBuilder();
    for (int n = 0; n < 101; n++) {
      many.append(n).append(' ');
    }
    assertThat(Found.in(event(many.toString()), decoder).details)
        .containsExactly("101 tags, more than 100");
  }

  @Test
  void shouldLetOnlyTheSourceSetScopes() {
    var ofShop = new EventDecoder(TimeUnit.MILLISECONDS, List.of("ci", "scope:shop"));

    assertThat(Found.in(event("web ci"), ofShop).points)
        .containsExactly("deploy [web, ci, scope:shop] 1700000000500 ");
    assertThat(Found.in("deploy", ofShop).points)
        .containsExactly("deploy [ci, scope:shop] 1700000000500 ");
    assertThat(Found.in(event("scope:shop"), ofShop).points).hasSize(1);
    Found foreign = Found.in(event("web scope:blog"), ofShop);
    assertThat(foreign.points).isEmpty();
    assertThat(foreign.drops).containsExactly(DropReason.UNSUPPORTED);
    assertThat(Found.in(event("web,scope:blog"), ofShop).points).as("after a comma").isEmpty();
    assertThat(Found.in(event("scope:blog"), decoder).points).as("without scopes").isEmpty();
  }

  private static String event(String tags) {
    return "{\"what\":\"deploy\",\"tags\":\"" + tags + "\"}";
  }
}
