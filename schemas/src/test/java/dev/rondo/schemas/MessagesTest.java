package dev.rondo.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Points",
        "SeriesEntry",
        "SeriesRequest",
        "BundleRow",
        "BundleRowKey",
        "Event",
        "Replay",
        "PolicyVersion",
        "PointBatch"
      })
  void shouldDocumentEveryRecordAndField(String message) throws IOException {
    Schema schema = parse(message);

    assertThat(schema.getName()).isEqualTo(message);
    assertDocumented(schema);
  }

  private static Schema parse(String message) throws IOException {
    try (InputStream file =
        MessagesTest.class.getResourceAsStream("messages/" + message + ".avsc")) {
      return new SchemaParser().parse(file).mainSchema();
    }
  }

  private static void assertDocumented(Schema schema) {
    if (schema.getType() == Schema.Type.ARRAY) {
      assertDocumented(schema.getElementType());
    }
    if (schema.getType() == Schema.Type.UNION) {
      schema.getTypes().forEach(MessagesTest::assertDocumented);
    }
    if (schema.getType() != Schema.Type.RECORD) {
      return;
    }
    assertThat(schema.getDoc()).as("doc of %s", schema.getName()).isNotBlank();
    for (Schema.Field field : schema.getFields()) {
      assertThat(field.doc()).as("doc of %s.%s", schema.getName(), field.name()).isNotBlank();
      assertDocumented(field.schema());
    }
  }
}
