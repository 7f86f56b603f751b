package dev.rondo.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {
  private static final Names NAMES = new Names("shop", Names.tags("host=web01; dc=ams"));

  @Test
  void shouldSortTheTagsOfTheClientAndOfTheSeries() {
    assertThat(NAMES.ident("orders", Map.of("by", "card")))
        .isEqualTo("shop.orders;by=card;dc=ams;host=web01");
    assertThat(NAMES.key()).isEqualTo("shop;dc=ams;host=web01");
    assertThat(new String(Names.series("shop.pay;host=web01", ".p99"), StandardCharsets.UTF_8))
        .isEqualTo("shop.pay.p99;host=web01");
  }

  @ParameterizedTest
  @CsvSource({
    "orders..paid, by, card, name 'orders..paid' has an empty node",
    "'', by, card, name '' has an empty node",
    "orders paid, by, card, name 'orders paid' has the invalid character U+0020 at 6",
    "orders, b=y, card, key of a tag 'b=y' has the invalid character U+003D at 1",
    "orders, name, card, has the invalid key 'name'",
    "orders, by, '', tag 'by' has no value",
    "orders, by, a;b, value of tag 'by' 'a;b' has the invalid character U+003B at 1",
    "orders, by, ~a, value of tag 'by' '~a' has the invalid character U+007E at 0",
    "orders, dc, fra, tag 'dc' of 'orders' is already a tag of all series",
  })
  void shouldNameTheInvalidPart(String name, String key, String value, String message) {
    assertThatThrownBy(() -> NAMES.ident(name, Map.of(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void shouldRejectSeriesThatTheTopologyDrops() {
    assertThatThrownBy(() -> NAMES.ident("x".repeat(1000), Map.of()))
        .hasMessageContaining("series of 1029 bytes, more than 1024");
    var tags = new TreeMap<String, String>();
    for (int n = 0; n < 63; n++) {
      tags.put("k" + n, "v");
    }
    assertThatThrownBy(() -> NAMES.ident("orders", tags))
        .hasMessageContaining("series of 65 tags, more than 64");
  }

  /** Otherwise a series would have another name in Rondo than in the application. */
  @Property(tries = 2000)
  void shouldAcceptOnlyIdentsThatTheTopologyKeeps(
      @ForAll
          @Chars({'a', '.', ';', ' ', '=', '~', '\t', 'ü', '\ud83d', '\ude00', '\u2028'})
          @StringLength(max = 5)
          String name,
      @ForAll
          @Chars({'a', '.', ';', ' ', '=', '~', '!', '^', '\n', 'ü', '\ud83d', '\ude00'})
          @StringLength(max = 3)
          String key,
      @ForAll
          @Chars({'a', '.', ';', ' ', '=', '~', '!', '^', '\n', 'ü', '\ud83d', '\ude00'})
          @StringLength(max = 3)
          String value) {
    check(new Names("", new TreeMap<>()), name, Map.of(key, value));
    check(NAMES, Names.cleanName(name), Names.cleanTags(Map.of(key, value)));
  }

  private static void check(Names names, String name, Map<String, String> tags) {
    String ident;
    try {
      ident = names.ident(name, tags);
    } catch (IllegalArgumentException e) {
      assertThat(names).as(e.getMessage()).isNotSameAs(NAMES); // what is clean is valid
      return;
    }
    var writer = new BatchWriter();
    writer.add(ident.getBytes(StandardCharsets.UTF_8), 1, 1);
    assertThat(Records.read(writer.take())).containsExactly(new Records.Point(ident, 1, 1));
  }
}
