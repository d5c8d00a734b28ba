package dev.superstep.server.internal.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads paths and queries, strictly: what two readers could understand in two ways is refused.
final class RequestPath {
  private static final int SEGMENTS_MAX = 32;
  private static final int PARAMETERS_MAX = 100;

  private RequestPath() {}

  /// The parts of a path between its slashes, decoded. A slash that is encoded is part of a name.
  ///
  /// @throws HttpFailure 400 if the path is malformed, or has a part `.` or `..`
  static List<String> segments(String rawPath) {
    if (!rawPath.startsWith("/")) throw bad("The path must begin with a slash.");
    var segments = new ArrayList<String>();
    for (var raw : rawPath.substring(1).split("/", -1)) {
      var segment = decode(raw, false);
      if (segment.equals(".") || segment.equals("..")) {
        throw bad("The path has a part `" + segment + "`; write it without.");
      }
      if (segments.size() == SEGMENTS_MAX) throw bad("The path has too many parts.");
      segments.add(segment);
    }
    return segments;
  }

  /// The parameters of a query, decoded.
  ///
  /// @throws HttpFailure 400 if the query is malformed
  static Map<String, List<String>> query(String rawQuery) {
    var values = new LinkedHashMap<String, List<String>>();
    if (rawQuery.isEmpty()) return values;
    int count = 0;
    for (var pair : rawQuery.split("&", -1)) {
      if (pair.isEmpty()) continue;
      if (++count > PARAMETERS_MAX) throw bad("The query has too many parameters.");
      int equals = pair.indexOf('=');
      var name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
      var value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
      values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }
    return values;
  }

  private static String decode(String raw, boolean isQuery) {
    var bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        if (i + 2 >= raw.length()) throw bad("The address has an incomplete `%`.");
        int high = Character.digit(raw.charAt(i + 1), 16);
        int low = Character.digit(raw.charAt(i + 2), 16);
        if (high < 0 || low < 0) throw bad("The address has a `%` without two hex digits.");
        bytes.write(high * 16 + low);
        i += 2;
      } else if (c == '+' && isQuery) {
        bytes.write(' ');
      } else if (c <= ' ' || c >= 0x7f) {
        throw bad("The address has a character that must be encoded.");
      } else {
        bytes.write(c);
      }
    }
    return text(bytes.toByteArray());
  }

  private static String text(byte[] bytes) {
    try {
      var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
        throw bad("The address has a control character.");
      }
      return text;
    } catch (CharacterCodingException notText) {
      throw bad("The address is no UTF-8.");
    }
  }

  private static HttpFailure bad(String why) {
    return new HttpFailure(400, why);
  }
}
