package dev.superstep.checkpoint;

import java.util.List;

/// A checkpoint with the values of its channels.
public record Saved(Checkpoint checkpoint, List<SavedChannel> channels) {
  public Saved {
    channels = List.copyOf(channels);
  }
}
