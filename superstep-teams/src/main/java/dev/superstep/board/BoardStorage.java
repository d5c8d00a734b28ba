package dev.superstep.board;

import dev.superstep.json.Codec;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Store;
import java.util.Optional;
import java.util.function.Function;

/// The storage of a board. Every change is a compare-and-set on the version that was read, so
/// concurrent changes see each other. Safe for many threads.
record BoardStorage(String name, Store store) {
  private static final Namespace BOARDS = Namespace.of("superstep", "boards");
  private static final Codec<SavedBoard> CODEC = Codec.of(SavedBoard.class);
  // Each failed attempt is one that another's succeeded, so this is reached by hundreds at once.
  private static final int TRIES_MAX = 1_000;

  /// A board after a change, and the result of the change.
  record Changed<T>(SavedBoard board, T result) {}

  SavedBoard read() {
    return board(store.get(BOARDS, name));
  }

  /// @param change has no effects, since it may be made again
  <T> T change(Function<SavedBoard, Changed<T>> change) {
    for (int i = 0; i < TRIES_MAX; i++) {
      var seen = store.get(BOARDS, name);
      var before = board(seen);
      var changed = change.apply(before);
      if (changed.board().equals(before)) return changed.result();
      var put = Put.of(BOARDS, name, changed.board(), CODEC).notEmbedded();
      var kept =
          seen.isPresent() ? store.putIfVersion(put, seen.get().version()) : store.putIfAbsent(put);
      if (kept.isPresent()) return changed.result();
    }
    throw new BoardContended(name, TRIES_MAX);
  }

  private static SavedBoard board(Optional<Item> seen) {
    return seen.map(item -> item.as(CODEC)).orElse(SavedBoard.EMPTY);
  }
}
