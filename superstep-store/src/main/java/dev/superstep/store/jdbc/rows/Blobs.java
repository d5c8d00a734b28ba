package dev.superstep.store.jdbc.rows;

import dev.superstep.json.Json;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Large values. Each is stored once in a family of threads, under the digest of its text; a
/// reference, which is a JSON string, takes its place elsewhere. A value that only looks like a
/// reference is stored as a blob, too. See docs/decisions/0056.
public final class Blobs {
  /// From how many characters of JSON on a value is large.
  public static final int LARGE = 256 * 1024;

  private static final long NOBODY = 0;
  private static final String MARK = "\"blob1:";
  private static final int REFERENCE_LENGTH = MARK.length() + 64 + 1;
  private static final Pattern REFERENCE = Pattern.compile("\"blob1:([0-9a-f]{64})\"");

  private Blobs() {}

  private static boolean isReference(Json value) {
    return value.text().length() == REFERENCE_LENGTH && value.text().startsWith(MARK);
  }

  /// Puts references in the place of large values.
  ///
  /// @param thread its name; its row is locked first, as by all who write to it
  public static ValueMapper replacing(Sql sql, String thread) {
    return new ValueMapper(new Replacing(sql, thread));
  }

  /// Puts large values in the place of references.
  public static ValueMapper resolving(Sql sql) {
    return new ValueMapper(new Resolving(sql));
  }

  private static final class Replacing implements ValueMapper.Mapping {
    private final Sql sql;
    private final String thread;
    private final Map<String, Json> known = new HashMap<>();
    private @Nullable Long family;

    Replacing(Sql sql, String thread) {
      this.sql = sql;
      this.thread = thread;
    }

    @Override
    public Json of(Json value) throws SQLException {
      if (value.text().length() <= LARGE && !isReference(value)) return value;
      var reference = known.get(value.text());
      if (reference != null) return reference;
      var fresh = stored(SqlText.of(value));
      known.put(value.text(), fresh);
      return fresh;
    }

    private Json stored(String text) throws SQLException {
      var digest = digest(text);
      long in = family();
      var query = "select 1 from blob where digest = ? and family = ?";
      if (sql.first(query, row -> row.getInt(1), digest, in).isEmpty()) {
        sql.update(
            "insert into blob (digest, family, json) values (?, ?, ?) on conflict do nothing",
            digest,
            in,
            text);
      }
      return Json.unchecked(MARK + digest + '"');
    }

    private long family() throws SQLException {
      var found = family;
      if (found != null) return found;
      var query = "select family from thread where name = ?" + sql.dialect().locked();
      // Where there is no such thread, its lease is found to be lost.
      found = sql.first(query, row -> row.getLong(1), thread).orElse(NOBODY);
      // What is there already must not be swept before it is referred to.
      Families.share(sql, found);
      family = found;
      return found;
    }
  }

  private static final class Resolving implements ValueMapper.Mapping {
    private final Sql sql;
    private final Map<String, Json> known = new HashMap<>();

    Resolving(Sql sql) {
      this.sql = sql;
    }

    @Override
    public Json of(Json value) throws SQLException {
      if (!isReference(value)) return value;
      var text = value.text();
      var read = known.get(text);
      if (read != null) return read;
      var fresh = read(text.substring(MARK.length(), text.length() - 1));
      known.put(text, fresh);
      return fresh;
    }

    private Json read(String digest) throws SQLException {
      // By its digest alone: whatever family keeps it, it is the same.
      var query = "select json from blob where digest = ? limit 1";
      var text =
          sql.first(query, row -> row.getString(1), digest)
              .orElseThrow(() -> new UnreadableData("the large value " + digest + " is missing"));
      if (!digest(text).equals(digest)) {
        throw new UnreadableData("the large value " + digest + " is not what was written");
      }
      return Json.unchecked(text);
    }
  }

  private static String digest(String text) {
    try {
      var sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }

  // --- Families ---

  /// Gives another family all that one has, which stays where it is.
  static void share(Sql sql, long from, long to) throws SQLException {
    sql.update(
        "insert into blob (digest, family, json) select digest, ?, json from blob where family = ?"
            + " on conflict do nothing",
        to,
        from);
  }

  static void removeAll(Sql sql, long family) throws SQLException {
    sql.update("delete from blob where family = ?", family);
  }

  // Where references can be, of all threads of a family.
  private static final List<String> WHOLE =
      List.of(
          "select json from value where family = ? and json like ?",
          "select i.json from log g join log_item i on i.log = g.id"
              + " where g.family = ? and i.json like ?",
          of("step", "json"),
          of("answer", "json"));
  private static final List<String> INSIDE =
      List.of(of("task", "\"end\""), of("checkpoint", "body"));

  private static String of(String table, String column) {
    return "select x."
        + column
        + " from thread t join lineage l on l.thread = t.id join "
        + table
        + " x on x.lineage = l.id where t.family = ? and x."
        + column
        + " like ?";
  }

  /// Deletes what nothing in a family refers to. The family must be locked.
  static void sweep(Sql sql, long family) throws SQLException {
    var all =
        new HashSet<>(
            sql.all("select digest from blob where family = ?", row -> row.getString(1), family));
    if (all.isEmpty()) return;
    for (var query : WHOLE) all.removeAll(found(sql, query, family, MARK + "%"));
    for (var query : INSIDE) all.removeAll(found(sql, query, family, "%" + MARK + "%"));
    var gone = all.stream().map(digest -> List.<Object>of(family, digest)).toList();
    sql.batch("delete from blob where family = ? and digest = ?", gone);
  }

  private static Set<String> found(Sql sql, String query, long family, String like)
      throws SQLException {
    var found = new HashSet<String>();
    for (var text : sql.all(query, row -> row.getString(1), family, like)) {
      var matcher = REFERENCE.matcher(text);
      while (matcher.find()) found.add(matcher.group(1));
    }
    return found;
  }
}
