package dev.superstep.repl.python;

import dev.superstep.repl.host.HostValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/// Reads the JSON of a frame from an interpreter that is not trusted: how much it makes of a frame
/// is limited, whatever the frame says. For one frame.
final class FrameReader {
  private static final int VALUES_MOST = 500_000;
  private static final int DEPTH_MOST = 700;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MOST)
                  .maxStringLength(PythonStart.FRAME_MOST)
                  .build())
          .build();

  private int values;

  private FrameReader() {}

  /// The fields of a frame.
  ///
  /// @throws ProtocolBroken if it is no JSON object, or too much of one
  static Map<String, HostValue> fields(byte[] frame) {
    try (var parser = JSON.createParser(ObjectReadContext.empty(), text(frame))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) throw new ProtocolBroken("no object");
      var read = new FrameReader().value(parser);
      if (parser.nextToken() != null) throw new ProtocolBroken("more than an object");
      if (read instanceof HostValue.Entries(var fields)) return fields;
      throw new ProtocolBroken("no object");
    } catch (JacksonException _) {
      throw new ProtocolBroken("a frame is no JSON, or too deep");
    }
  }

  private static String text(byte[] frame) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(frame)).toString();
    } catch (CharacterCodingException _) {
      throw new ProtocolBroken("a frame is no UTF-8");
    }
  }

  private HostValue value(JsonParser parser) {
    if (++values > VALUES_MOST) throw new ProtocolBroken("a frame has too many values");
    var token = parser.currentToken();
    return switch (token) {
      case VALUE_NULL -> HostValue.NOTHING;
      case VALUE_TRUE -> HostValue.of(true);
      case VALUE_FALSE -> HostValue.of(false);
      case VALUE_STRING -> HostValue.of(wellFormed(parser.getString()));
      case VALUE_NUMBER_INT -> new HostValue.Whole(parser.getBigIntegerValue());
      case VALUE_NUMBER_FLOAT -> HostValue.of(parser.getDoubleValue());
      case START_ARRAY -> {
        var items = new ArrayList<HostValue>();
        while (parser.nextToken() != JsonToken.END_ARRAY) items.add(value(parser));
        yield new HostValue.Items(items);
      }
      case START_OBJECT -> {
        var fields = new LinkedHashMap<String, HostValue>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          var name = wellFormed(parser.currentName());
          parser.nextToken();
          if (fields.put(name, value(parser)) != null) throw new ProtocolBroken("a field is twice");
        }
        yield new HostValue.Entries(fields);
      }
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new ProtocolBroken("a frame ends early");
    };
  }

  /// A text with U+FFFD for each half of a surrogate pair.
  private static String wellFormed(String text) {
    boolean isWhole = text.codePoints().noneMatch(FrameReader::isLone);
    if (isWhole) return text;
    var fixed = new StringBuilder();
    text.codePoints().map(c -> isLone(c) ? 0xFFFD : c).forEach(fixed::appendCodePoint);
    return fixed.toString();
  }

  private static boolean isLone(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }
}
