package dev.superstep.graph.internal.kernel;

import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The values of all channels with their versions, by place. A copy shares the chunks in which
/// nothing is changed, so that a superstep beside many channels costs what it changes. One thread
/// at a time until it is part of a snapshot; from then on nobody changes it.
public final class ChannelValues {
  // Most graphs have fewer channels, and then a copy is one of a plain array.
  private static final int CHUNK = 128;
  private static final int WORDS = CHUNK / Long.SIZE;

  private final Chunk[] chunks;
  // Of what this is a copy, until nobody changes it any more.
  private Chunk @Nullable [] shared;

  private static final class Chunk {
    private final @Nullable Object[] values;
    private final long[] versions;

    /// The places that have a value; null if nobody has asked since one was changed. Threads that
    /// ask at the same time compute the same.
    private long @Nullable [] present;

    Chunk(@Nullable Object[] values, long[] versions) {
      this.values = values;
      this.versions = versions;
    }

    Chunk copy() {
      return new Chunk(values.clone(), versions.clone());
    }

    long[] present() {
      var known = present;
      if (known != null) return known;
      var found = new long[WORDS];
      for (int i = 0; i < values.length; i++) {
        if (values[i] != null) found[i / Long.SIZE] |= 1L << i;
      }
      present = found;
      return found;
    }
  }

  private ChannelValues(Chunk[] chunks, Chunk @Nullable [] shared) {
    this.chunks = chunks;
    this.shared = shared;
  }

  /// Empty ones, of version 0.
  static ChannelValues of(int size) {
    var chunks = new Chunk[(size + CHUNK - 1) / CHUNK];
    for (int i = 0; i < chunks.length; i++) {
      int length = Math.min(CHUNK, size - i * CHUNK);
      chunks[i] = new Chunk(new @Nullable Object[length], new long[length]);
    }
    return new ChannelValues(chunks, null);
  }

  /// A copy that can be changed, while this one is not any more.
  ChannelValues copy() {
    return new ChannelValues(chunks.clone(), chunks);
  }

  /// From here on nobody changes these values.
  ChannelValues settled() {
    shared = null;
    return this;
  }

  public @Nullable Object value(int place) {
    return chunks[place / CHUNK].values[place % CHUNK];
  }

  public long version(int place) {
    return chunks[place / CHUNK].versions[place % CHUNK];
  }

  void put(int place, @Nullable Object value) {
    change(place).values[place % CHUNK] = value;
  }

  void put(int place, @Nullable Object value, long version) {
    put(place, value);
    change(place).versions[place % CHUNK] = version;
  }

  /// The value has another version now.
  void moveOn(int place) {
    change(place).versions[place % CHUNK]++;
  }

  @SuppressWarnings("ReferenceEquality") // whether a chunk is still shared
  private Chunk change(int place) {
    int chunk = place / CHUNK;
    if (shared != null && chunks[chunk] == shared[chunk]) chunks[chunk] = chunks[chunk].copy();
    chunks[chunk].present = null;
    return chunks[chunk];
  }

  /// Calls back with each of the wanted places that has a value. Costs little more than their
  /// number.
  ///
  /// @param wanted a bit for each place
  void present(long[] wanted, IntConsumer told) {
    for (int word = 0; word < wanted.length; word++) {
      if (wanted[word] == 0) continue;
      long found = chunks[word / WORDS].present()[word % WORDS] & wanted[word];
      for (; found != 0; found &= found - 1) {
        told.accept(word * Long.SIZE + Long.numberOfTrailingZeros(found));
      }
    }
  }
}
