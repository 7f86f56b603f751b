package dev.rondo.tools.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonRegexTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          (?P<dc>ams|fra)-(?P=dc)\\Z ~ fra-fra ~ true
          \\w+\\d ~ 日本٣ ~ true
          (?i)É.* ~ é1 ~ true
          web\\b ~ web-1 ~ true
          web\\b ~ webx ~ false
          \\x77eb(?!x)(?<=b) ~ web ~ true
          [^]a]b ~ cb ~ true
          [\\[:a] ~ [ ~ true
          (?:a|b){2} ~ ab ~ true
          """)
  void shouldMeanWhatItMeansInPython(String regex, String text, boolean isFound) {
    assertThat(PythonRegex.compile(regex).matcher(text).find()).isEqualTo(isFound);
  }

  @Test
  void shouldEndAsInPython() {
    assertThat(PythonRegex.compile("a\\Z").matcher("a\n").find()).isFalse();
    assertThat(PythonRegex.compile("a$").matcher("a\n").find()).isTrue();
    assertThat(PythonRegex.compile("a.b").matcher("a\u0085b").find()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [[:alpha:]] | '[' in a set: write '\\['
          [a-z&&b]    | '&&' in a set: write '\\&'
          [a[b]]      | '[' in a set: write '\\['
          \\p{L}      | \\p is not supported
          \\Qa.b\\E   | \\Q is not supported
          \\h         | \\h is not supported
          \\101       | \\101 is not supported
          a\\z        | \\z is not supported
          (?x)a b     | (?x is not supported: only the flags i, m and s are
          (?U:a)      | (?U is not supported: only the flags i, m and s are
          (a          | Unclosed group
          """)
  void shouldRefuseWhatJavaReadsOtherwise(String regex, String message) {
    assertThatThrownBy(() -> PythonRegex.translated(regex))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
