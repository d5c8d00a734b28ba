package dev.superstep.store.jdbc.sql;

import dev.superstep.json.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;

/// JSON as stored in text columns: UTF-8.
public final class SqlText {
  private SqlText() {}

  /// A stream of tokens may be cut inside a character. UTF-8 has no form for such a half, so it is
  /// written as JSON's escape, which reads as the same string.
  public static String of(Json json) {
    var text = json.text();
    if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) return text;
    var escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(point -> {
          if (Character.isBmpCodePoint(point) && Character.isSurrogate((char) point)) {
            escaped.append("\\u%04x".formatted(point));
          } else {
            escaped.appendCodePoint(point);
          }
        });
    return escaped.toString();
  }

  /// Returns text that was stored as JSON, unchanged.
  ///
  /// @throws dev.superstep.json.MalformedJson if it is none
  public static Json checked(String text) {
    var parsed = Json.parse(text);
    return parsed.text().equals(text) ? parsed : Json.unchecked(text);
  }

  /// Reads text from column 1 and, from column 2, whether SQLite takes it for JSON: it checks
  /// faster than building the value twice would.
  public static Json checked(ResultSet row) throws SQLException {
    var text = row.getString(1);
    return row.getBoolean(2) ? Json.unchecked(text) : Json.parse(text);
  }
}
