package dev.superstep.state;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;

/// An immutable list of which lists that differ little share most chunks: to replace or to remove
/// an item copies one chunk and a reference to each other, to add k items costs O(k), amortised, as
/// [AppendList] does. Safe for many threads.
final class ChunkedList<T> extends AbstractList<T> implements RandomAccess {
  private static final int CHUNK = 128;

  // Full ones, but for items that were removed; none is empty.
  private final Object[][] chunks;
  // The number of items up to the end of each chunk.
  private final int[] ends;
  // Shorter than a chunk.
  private final AppendList<T> tail;

  private ChunkedList(Object[][] chunks, int[] ends, AppendList<T> tail) {
    this.chunks = chunks;
    this.ends = ends;
    this.tail = tail;
  }

  static <T> ChunkedList<T> empty() {
    return new ChunkedList<>(new Object[0][], new int[0], AppendList.empty());
  }

  static <T> ChunkedList<T> of(List<? extends T> items) {
    return ChunkedList.<T>empty().plus(items);
  }

  private int tailStart() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  ChunkedList<T> plus(List<? extends T> items) {
    if (items.isEmpty()) return this;
    int room = CHUNK - tail.size();
    if (items.size() < room) return new ChunkedList<>(chunks, ends, tail.plus(items));
    int more = 1 + (items.size() - room) / CHUNK;
    var nextChunks = Arrays.copyOf(chunks, chunks.length + more);
    var nextEnds = Arrays.copyOf(ends, nextChunks.length);
    int from = room;
    nextChunks[chunks.length] = tail.plus(items.subList(0, room)).toArray();
    nextEnds[chunks.length] = tailStart() + CHUNK;
    for (int i = chunks.length + 1; i < nextChunks.length; i++, from += CHUNK) {
      nextChunks[i] = items.subList(from, from + CHUNK).toArray();
      nextEnds[i] = nextEnds[i - 1] + CHUNK;
    }
    var rest = AppendList.<T>empty().plus(items.subList(from, items.size()));
    return new ChunkedList<>(nextChunks, nextEnds, rest);
  }

  /// Returns whether this list is known to begin with all items of another one, since it shares
  /// their chunks. Looks at no item but those of the other list's last chunk.
  @SuppressWarnings("ReferenceEquality") // looks whether a chunk is shared, not at what is in it
  boolean extendsLine(ChunkedList<?> other) {
    int shared = other.chunks.length;
    if (chunks.length < shared) return false;
    for (int i = 0; i < shared; i++) if (chunks[i] != other.chunks[i]) return false;
    if (chunks.length == shared) return tail.extendsLine(other.tail);
    return startsWith(chunks[shared], other.tail);
  }

  /// Returns whether a chunk was made of a tail.
  @SuppressWarnings("ReferenceEquality") // of an item, too
  private static boolean startsWith(Object[] chunk, List<?> tail) {
    if (chunk.length < tail.size()) return false;
    for (int i = 0; i < tail.size(); i++) if (chunk[i] != tail.get(i)) return false;
    return true;
  }

  /// The first `length` items.
  ChunkedList<T> first(int length) {
    if (length >= tailStart()) {
      return length == size()
          ? this
          : new ChunkedList<>(chunks, ends, tail.first(length - tailStart()));
    }
    int whole = chunk(length);
    var start =
        new ChunkedList<T>(
            Arrays.copyOf(chunks, whole), Arrays.copyOf(ends, whole), AppendList.empty());
    return start.plus(subList(start.tailStart(), length));
  }

  /// This list with other items in some places.
  @SuppressWarnings("ReferenceEquality") // whether a chunk is still shared
  ChunkedList<T> replaced(Map<Integer, ? extends T> others) {
    if (others.isEmpty()) return this;
    var next = chunks.clone();
    var late = new HashMap<Integer, T>();
    others.forEach((at, item) -> {
      if (at >= tailStart()) {
        late.put(at - tailStart(), item);
        return;
      }
      int chunk = chunk(at);
      if (next[chunk] == chunks[chunk]) next[chunk] = chunks[chunk].clone();
      next[chunk][at - start(chunk)] = item;
    });
    return new ChunkedList<>(next, ends, tail.replaced(late));
  }

  /// This list without the item in one place.
  ChunkedList<T> without(int at) {
    if (at >= tailStart()) {
      int place = at - tailStart();
      var rest = tail.first(place).plus(tail.subList(place + 1, tail.size()));
      return new ChunkedList<>(chunks, ends, rest);
    }
    int chunk = chunk(at);
    var old = chunks[chunk];
    boolean isLast = old.length == 1;
    var nextChunks = new Object[chunks.length - (isLast ? 1 : 0)][];
    var nextEnds = new int[nextChunks.length];
    for (int i = 0, j = 0; i < chunks.length; i++) {
      if (i == chunk && isLast) continue;
      nextChunks[j] = chunks[i];
      nextEnds[j++] = ends[i] - (i < chunk ? 0 : 1);
    }
    if (!isLast) {
      var rest = new Object[old.length - 1];
      int place = at - start(chunk);
      System.arraycopy(old, 0, rest, 0, place);
      System.arraycopy(old, place + 1, rest, place, rest.length - place);
      nextChunks[chunk] = rest;
    }
    return new ChunkedList<>(nextChunks, nextEnds, tail);
  }

  /// The chunk of an item before the tail.
  private int chunk(int at) {
    int guess = at / CHUNK;
    if (at < ends[guess] && at >= start(guess)) return guess;
    int found = Arrays.binarySearch(ends, at);
    return found < 0 ? -found - 1 : found + 1;
  }

  private int start(int chunk) {
    return chunk == 0 ? 0 : ends[chunk - 1];
  }

  @Override
  @SuppressWarnings("unchecked") // only items of this type come into chunks
  public T get(int index) {
    Objects.checkIndex(index, size());
    if (index >= tailStart()) return tail.get(index - tailStart());
    int chunk = chunk(index);
    return (T) chunks[chunk][index - start(chunk)];
  }

  @Override
  public int size() {
    return tailStart() + tail.size();
  }
}
