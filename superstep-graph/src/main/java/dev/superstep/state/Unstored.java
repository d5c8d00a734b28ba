package dev.superstep.state;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;

/// Stands where channels that are never stored would have a codec: it has only the type's name.
record Unstored<T>(String type) implements Codec<T> {
  @Override
  public Json encode(T value) {
    throw new IllegalStateException("an untracked value of type " + type + " is never stored");
  }

  @Override
  public T decode(Json json) {
    throw new IllegalStateException("an untracked value of type " + type + " is never stored");
  }
}
