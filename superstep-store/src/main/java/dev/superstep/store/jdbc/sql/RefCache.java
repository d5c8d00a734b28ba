package dev.superstep.store.jdbc.sql;

import dev.superstep.store.jdbc.sql.ChannelRefs.Ref;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cache of the references of recently read or written checkpoints, for checkpoints with many
/// references, so that the writer of the next checkpoint does not read them all again. The key is
/// the checkpoint's sequence number in the store, which is never reused. Safe for many threads;
/// each map belongs to one thread at a time.
public final class RefCache {
  // Of 100 bytes, about.
  private static final int REFS_MAX = 200_000;

  private final Map<Long, Map<Long, Ref>> known = new LinkedHashMap<>();
  private int size;

  /// The references of a checkpoint, to be changed for a later one; null if they are not known.
  public synchronized @Nullable Map<Long, Ref> remove(long checkpoint) {
    var refs = known.remove(checkpoint);
    if (refs != null) size -= refs.size();
    return refs;
  }

  /// Keeps those of a checkpoint that is committed; nobody else is to change them.
  public synchronized void put(long checkpoint, Map<Long, Ref> refs) {
    remove(checkpoint);
    known.put(checkpoint, refs);
    size += refs.size();
    var oldest = known.entrySet().iterator();
    while (size > REFS_MAX && known.size() > 1) {
      size -= oldest.next().getValue().size();
      oldest.remove();
    }
  }
}
