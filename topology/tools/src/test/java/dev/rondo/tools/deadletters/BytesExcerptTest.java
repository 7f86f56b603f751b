package dev.rondo.tools.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BytesExcerptTest {
  private static String excerpt(String text) {
    return BytesExcerpt.of(text.getBytes(UTF_8));
  }

  @Test
  void shouldShowTextOnOneLine() {
    assertThat(excerpt("größe 1\r\n\tb 2\n")).isEqualTo("größe 1\\r\\n\\tb 2\\n");
  }

  @Test
  void shouldCutTextBetweenCharacters() {
    assertThat(excerpt("x".repeat(100))).isEqualTo("x".repeat(100));
    assertThat(excerpt("x".repeat(101))).isEqualTo("x".repeat(100) + "…");
    assertThat(excerpt("x" + "😀".repeat(500))).isEqualTo("x" + "😀".repeat(49) + "…");
    assertThat(excerpt("xy" + "€".repeat(500))).isEqualTo("xy" + "€".repeat(98) + "…");
  }

  @Test
  void shouldShowAnythingElseAsHex() {
    assertThat(BytesExcerpt.of(new byte[] {0x0a, (byte) 0xc3, 0x28})).isEqualTo("hex 0a c3 28");
    assertThat(BytesExcerpt.of(new byte[33])).isEqualTo("hex 00" + " 00".repeat(31) + " …");
  }

  /** Escape sequences and characters that reverse the direction of text. */
  @ParameterizedTest
  @ValueSource(strings = {"\u001b[31mred", "a\u202eb", "a\u0085b", "a\u2028b", "\u0000"})
  void shouldNotPrintControlCharacters(String text) {
    assertThat(excerpt(text)).startsWith("hex ");
  }

  @Property
  void shouldBeShortAndOnOneLineForAnyBytes(@ForAll byte[] bytes) {
    assertThat(BytesExcerpt.of(bytes)).hasSizeLessThanOrEqualTo(110).doesNotContain("\n", "\u001b");
  }
}
