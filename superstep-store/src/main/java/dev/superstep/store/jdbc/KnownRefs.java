package dev.superstep.store.jdbc;

import dev.superstep.store.jdbc.ChannelRefs.Ref;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The references of the checkpoints that were read or written last, where they are many: whoever
/// writes the next checkpoint is not to read them all again. They are known by the place of their
/// checkpoint in the order of the store, which no other one ever gets. Safe for many threads; each
/// map belongs to one at a time.
final class KnownRefs {
  // Of 100 bytes, about.
  private static final int REFS_MAX = 200_000;

  private final Map<Long, Map<Long, Ref>> known = new LinkedHashMap<>();
  private int size;

  /// The references of a checkpoint, to be changed for a later one; null if they are not known.
  synchronized @Nullable Map<Long, Ref> take(long checkpoint) {
    var refs = known.remove(checkpoint);
    if (refs != null) size -= refs.size();
    return refs;
  }

  /// Keeps those of a checkpoint that is committed; nobody else is to change them.
  synchronized void put(long checkpoint, Map<Long, Ref> refs) {
    take(checkpoint);
    known.put(checkpoint, refs);
    size += refs.size();
    var oldest = known.entrySet().iterator();
    while (size > REFS_MAX && known.size() > 1) {
      size -= oldest.next().getValue().size();
      oldest.remove();
    }
  }
}
