package dev.superstep.store.jdbc.service;

import dev.superstep.service.DocumentKind;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The versions of the documents that a transaction has read, or that it has written them itself.
/// Others may change a document in between; a transaction that notices is run again. One thread.
final class SeenVersions {
  /// The state of SQL for a transaction that has to be run again.
  static final String CONFLICT = "40001";

  private final Map<Key, Seen> all = new HashMap<>();

  private record Key(DocumentKind kind, String id) {}

  private sealed interface Seen {
    record Version(String version) implements Seen {}

    record Absent() implements Seen {}

    /// Written by this transaction, so that others wait.
    record Own() implements Seen {}

    record OwnAbsent() implements Seen {}
  }

  /// Notes what was read.
  ///
  /// @param version empty if there was no document
  /// @throws SQLException if another version was read before
  void read(DocumentKind kind, String id, Optional<String> version) throws SQLException {
    var key = new Key(kind, id);
    Seen found = version.<Seen>map(Seen.Version::new).orElseGet(Seen.Absent::new);
    var before = all.putIfAbsent(key, found);
    boolean isChanged =
        switch (before) {
          case null -> false;
          case Seen.Version _, Seen.Absent _ -> !before.equals(found);
          case Seen.Own _, Seen.OwnAbsent _ -> false;
        };
    if (isChanged) {
      throw new SQLException("another transaction has changed the document", CONFLICT);
    }
  }

  void written(DocumentKind kind, String id) {
    all.put(new Key(kind, id), new Seen.Own());
  }

  void deleted(DocumentKind kind, String id) {
    all.put(new Key(kind, id), new Seen.OwnAbsent());
  }

  /// The version that a document has, empty text if it was written by this transaction itself;
  /// nothing if it was not read.
  Optional<String> version(DocumentKind kind, String id) {
    return switch (all.get(new Key(kind, id))) {
      case Seen.Version(var version) -> Optional.of(version);
      case Seen.Own _ -> Optional.of("");
      case Seen.Absent _, Seen.OwnAbsent _ -> Optional.empty();
      case null -> Optional.empty();
    };
  }

  /// Returns true if a document is known not to be there.
  boolean isAbsent(DocumentKind kind, String id) {
    return switch (all.get(new Key(kind, id))) {
      case Seen.Absent _, Seen.OwnAbsent _ -> true;
      case Seen.Version _, Seen.Own _ -> false;
      case null -> false;
    };
  }
}
