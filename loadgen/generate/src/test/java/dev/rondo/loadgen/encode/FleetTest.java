package dev.rondo.loadgen.encode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rondo.loadgen.plan.Names;
import dev.rondo.loadgen.plan.Plan;
import dev.rondo.loadgen.shape.PointGrid;
import dev.rondo.loadgen.shape.ShapeKind;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final int SERIES = 1_000;
  private static final int INSTANCES = 5;

  @Test
  void shouldHaveTheSeriesOfOneOfTheInstances() {
    var grid = new PointGrid(42, 100, SERIES, 100, 0, SERIES);
    var plan =
        new Plan(
            "x",
            grid,
            ShapeKind.STEADY,
            Map.of(),
            "graphite",
            1,
            "points",
            1,
            "absent",
            Names.path("x", false),
            0,
            "now",
            INSTANCES);
    SeriesTexts idents = Fleet.of(plan).idents();

    var names =
        IntStream.range(0, SERIES).mapToObj(n -> new String(idents.of(n, 0), UTF_8)).toList();

    assertThat(names)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("load\\.x\\.m\\d{5}\\.metric\\d\\d"))
        .allMatch(
            name -> Utils.toPositive(Utils.murmur2(name.getBytes(UTF_8))) % (16 * INSTANCES) < 16);
    assertThat(names.get(SERIES - 1)) // about one in five names of the deployment is in the share
        .isBetween("load.x.m00040", "load.x.m00060");
  }
}
