package dev.superstep.middleware;

import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Store;
import java.util.ArrayList;
import java.util.Optional;

/// Long texts in a store, in pieces that it takes. Each has a namespace of its own.
final class StoredTexts {
  private static final int CHUNK = 200_000; // characters; a store takes a mebibyte

  private StoredTexts() {}

  record Part(String text) {}

  /// Stores a text. Storing it again changes nothing.
  static void save(Namespace space, String text, Store store) {
    var puts = new ArrayList<Put>();
    int from = 0;
    do {
      int end = Excerpt.whole(text, Math.min(text.length(), from + CHUNK));
      var part = new Part(text.substring(from, end));
      puts.add(Put.of(space, key(puts.size()), part).notEmbedded());
      from = end;
    } while (from < text.length());
    // The first piece comes last: without it there is nothing to read.
    for (var put : puts.reversed()) store.put(put);
  }

  /// The text, if one was stored.
  static Optional<String> read(Namespace space, Store store) {
    var text = new StringBuilder();
    int pieces = 0;
    while (true) {
      var part = store.get(space, key(pieces), Part.class);
      if (part.isEmpty()) break;
      text.append(part.get().text());
      pieces++;
    }
    return pieces == 0 ? Optional.empty() : Optional.of(text.toString());
  }

  private static String key(int piece) {
    return "%06d".formatted(piece);
  }
}
