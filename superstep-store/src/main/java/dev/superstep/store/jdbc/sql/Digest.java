package dev.superstep.store.jdbc.sql;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/// A 64-bit checksum of a row's text and place, so that a read notices damage, and also a row in
/// the place of another one. It finds accidents, not forgery: docs/decisions/0060.
///
/// A row without a digest was written by format 1 and is accepted as it is.
public final class Digest {
  // No text in UTF-8 has these bytes.
  private static final int END = 0xff;
  private static final int ABSENT = 0xfe;

  private final Checksum first = new CRC32C();
  private final Checksum second = new CRC32();

  private Digest() {}

  /// Returns the checksum of texts and numbers; those of the place come before those of the
  /// content.
  ///
  /// @param kind the table
  public static long of(String kind, @Nullable Object... parts) {
    var digest = new Digest();
    digest.add(kind);
    for (var part : parts) digest.add(part);
    return digest.first.getValue() << Integer.SIZE | digest.second.getValue();
  }

  /// Compares a stored digest with the expected one; a row without a digest passes.
  ///
  /// @throws UnreadableData if a row has another digest than it should
  public static void check(Optional<Long> kept, long expected, String what) {
    if (kept.isPresent() && kept.get() != expected) throw differs(what);
  }

  public static UnreadableData differs(String what) {
    return UnreadableData.damaged(what + " differs from what was written");
  }

  public static Optional<Long> read(ResultSet row, int column) throws SQLException {
    long digest = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(digest);
  }

  private void add(@Nullable Object part) {
    switch (part) {
      case null -> add(ABSENT);
      case Optional<?> some -> add(some.orElse(null));
      case Boolean b -> add(b ? 1L : 0L);
      case Integer i -> add((long) i);
      case Long number -> {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) add((int) (number >>> shift));
      }
      case String text -> {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        first.update(bytes, 0, bytes.length);
        second.update(bytes, 0, bytes.length);
        add(END);
      }
      default -> throw new IllegalArgumentException(Objects.toString(part));
    }
  }

  private void add(int oneByte) {
    first.update(oneByte);
    second.update(oneByte);
  }
}
