package dev.superstep.server.internal.http;

import dev.superstep.server.options.HttpLimits;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads and writes bodies in JSON within limits. Safe for many threads.
final class JsonBody {
  private static final int NUMBER_LENGTH_MAX = 1_000;
  private static final int NAME_LENGTH_MAX = 10_000;
  private final int bytesMax;
  private final int depthMax;
  private final JsonMapper json;

  JsonBody(HttpLimits limits) {
    bytesMax = limits.bodyBytes();
    depthMax = limits.bodyDepth();
    var constraints =
        StreamReadConstraints.builder()
            .maxNestingDepth(depthMax)
            .maxStringLength(bytesMax)
            .maxNumberLength(NUMBER_LENGTH_MAX)
            .maxNameLength(NAME_LENGTH_MAX)
            .build();
    json =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            // Numbers must come back digit for digit.
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
  }

  /// Reads a body to its end.
  ///
  /// @param announced the length that the client gave, or -1
  JsonNode read(InputStream body, long announced) throws IOException {
    if (announced > bytesMax) throw tooLarge();
    var bytes = body.readNBytes(bytesMax);
    if (bytes.length == bytesMax && body.read() >= 0) throw tooLarge();
    return read(bytes);
  }

  /// Reads a text that was taken whole.
  JsonNode read(byte[] bytes) {
    if (bytes.length > bytesMax) throw tooLarge();
    if (bytes.length == 0) return json.missingNode();
    try {
      return json.readTree(bytes);
    } catch (StreamConstraintsException limit) {
      throw new HttpFailure(
          413,
          "The body is nested deeper than %,d levels, or has a number or a name that is too long."
              .formatted(depthMax));
    } catch (JacksonException notJson) {
      var at = notJson.getLocation();
      var where =
          at == null ? "" : " See line " + at.getLineNr() + ", column " + at.getColumnNr() + ".";
      throw new HttpFailure(400, "The body is no proper JSON." + where);
    }
  }

  /// Writes a value.
  byte[] write(JsonNode value) {
    return json.writeValueAsBytes(value);
  }

  private HttpFailure tooLarge() {
    return new HttpFailure(413, "The body has more than %,d bytes.".formatted(bytesMax));
  }
}
