package dev.rondo.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShownTest {
  private final Shown shown = new Shown();

  @Test
  void shouldAcceptValuesThatAreStoredAtLast() throws JsonProcessingException {
    add("a", "[[1.5,10],[null,20],[2.5,30]]");
    add("a", "[[1.5000000000001,10],[7,20],[2.5,30]]");
    assertThat(shown.differences(Map.of("a", Map.of(10L, 1.5, 20L, 7.0, 30L, 2.5)), 10)).isEmpty();
    assertThat(shown.slots()).isEqualTo(3);
  }

  /** The first one was shown for a while under the name of the other series. */
  @Test
  void shouldFindEachValueThatWasShownUnderAnotherName() throws JsonProcessingException {
    add("a", "[[1.5,10],[2.5,20]]");
    add("a", "[[9,10],[2.5,20]]");
    add("b", "[[9,10],[8,20]]");
    assertThat(
            shown.differences(Map.of("a", Map.of(10L, 9.0, 20L, 2.5), "b", Map.of(10L, 9.0)), 10))
        .containsExactly(
            "/render showed 1.5 as a at 10; PostgreSQL has 9.0",
            "/render showed 8.0 as b at 20; PostgreSQL has null");
  }

  /** An open slot of a coarser archive changes until it is closed. */
  @Test
  void shouldCompareTheFinestStepOnly() throws JsonProcessingException {
    add("a", "[[1.5,60],[2.5,120]]");
    assertThat(shown.differences(Map.of(), 10)).isEmpty();
  }

  private void add(String name, String datapoints) throws JsonProcessingException {
    shown.add(name, new ObjectMapper().readTree(datapoints));
  }
}
