package dev.rondo.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadOptionsTest {
  private static final LoadOptions OPTIONS =
      new LoadOptions(7, 2000, 4000, 60, "late", 5, null, "30s", List.of("create", "append"), 8);

  @Test
  void shouldDivideHostsWhoseClocksAreOffAmongTheTypesOfTopics() {
    assertThat(OPTIONS.skewed())
        .extracting(LoadOptions.Run::topic)
        .containsExactly("chaos.create", "chaos.append");
    assertThat(OPTIONS.skewed())
        .allSatisfy(
            run ->
                assertThat(run.options())
                    .contains("--series=2000", "--rate=1000.0", "--clock-skew=30s")
                    .contains("--keys=absent", "--timestamps=points"));
  }

  @Test
  void shouldSendABacklogOfAsLongAsTheLoadLasts() {
    assertThat(OPTIONS.backlogs().get(0).options())
        .contains("--start=-60s", "--seconds=60.0", "--flat-out");
  }

  @Test
  void shouldGiveEachOptionOnce() {
    List<LoadOptions.Run> runs =
        List.of(OPTIONS.plain(), OPTIONS.unkeyed(), OPTIONS.flush(), OPTIONS.exploding());
    for (LoadOptions.Run run : runs) {
      assertThat(run.options())
          .filteredOn(option -> !option.startsWith("--producer="))
          .extracting(option -> option.replaceAll("=.*", ""))
          .as(run.toString())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void shouldHaveAnotherMachineAtEachTickWhereALabelExplodes() {
    assertThat(OPTIONS.exploding().options())
        .contains("--shape=churn", "--churn-ms=2000", "--series=400", "--rate=200.0");
  }
}
