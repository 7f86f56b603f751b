package dev.rondo.formats.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import dev.rondo.formats.DroppedException;
import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Messages of {@code Load { Load inner = 1; repeated Load many = 2; repeated double value = 3; }}.
 */
class SingularFieldsTest {
  private static final int INNER = 1 << 3 | 2;
  private static final int MANY = 2 << 3 | 2;
  private static final int VALUE = 3 << 3 | 1;

  /** {@code value: 0}. */
  private static final byte[] ONE_VALUE = {VALUE, 0, 0, 0, 0, 0, 0, 0, 0};

  private final Descriptor load = load();
  private final ProtobufReader reader = new ProtobufReader(load);

  private static Descriptor load() {
    DescriptorProto message =
        DescriptorProto.newBuilder()
            .setName("Load")
            .addField(
                field(
                    "inner",
                    1,
                    FieldDescriptorProto.Label.LABEL_OPTIONAL,
                    FieldDescriptorProto.Type.TYPE_MESSAGE))
            .addField(
                field(
                    "many",
                    2,
                    FieldDescriptorProto.Label.LABEL_REPEATED,
                    FieldDescriptorProto.Type.TYPE_MESSAGE))
            .addField(
                field(
                    "value",
                    3,
                    FieldDescriptorProto.Label.LABEL_REPEATED,
                    FieldDescriptorProto.Type.TYPE_DOUBLE))
            .build();
    try {
      return FileDescriptor.buildFrom(
              FileDescriptorProto.newBuilder().setName("load").addMessageType(message).build(),
              new FileDescriptor[0])
          .getMessageTypes()
          .get(0);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static FieldDescriptorProto field(
      String name, int number, FieldDescriptorProto.Label label, FieldDescriptorProto.Type type) {
    var field =
        FieldDescriptorProto.newBuilder()
            .setName(name)
            .setNumber(number)
            .setLabel(label)
            .setType(type);
    return type == FieldDescriptorProto.Type.TYPE_MESSAGE
        ? field.setTypeName("Load").build()
        : field.build();
  }

  @Test
  void shouldRejectManyRepeatsOfSingularMessages() {
    byte[] record = repeated(INNER, 50_000);

    assertThatThrownBy(() -> reader.read(record, 0, record.length))
        .isInstanceOf(DroppedException.class)
        .hasMessageContaining(
            "singular field inner is repeated, with more than 16 repeats in the record");
  }

  @Test
  void shouldMergeAFewRepeatsOfSingularMessages() throws DroppedException {
    byte[] record = joined(repeated(INNER, 17), repeated(MANY, 5_000));

    var read = (DynamicMessage) reader.read(record, 0, record.length);

    var inner = (DynamicMessage) read.getField(load.findFieldByName("inner"));
    assertThat((List<?>) inner.getField(load.findFieldByName("value"))).hasSize(17);
    assertThat((List<?>) read.getField(load.findFieldByName("many"))).hasSize(5_000);
  }

  private static byte[] repeated(int tag, int times) {
    var record = new ByteArrayOutputStream();
    for (int n = 0; n < times; n++) {
      record.write(tag);
      record.write(ONE_VALUE.length);
      record.writeBytes(ONE_VALUE);
    }
    return record.toByteArray();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    var record = new ByteArrayOutputStream();
    record.writeBytes(first);
    record.writeBytes(second);
    return record.toByteArray();
  }
}
