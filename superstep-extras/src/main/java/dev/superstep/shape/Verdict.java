package dev.superstep.shape;

import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import java.util.List;

/// The result of a [Check]. Immutable.
///
/// @param passed whether the loop is done
/// @param update what it writes, such as the notes of a review
public record Verdict(boolean passed, Update update) {
  /// The loop is done.
  public static Verdict pass() {
    return new Verdict(true, new Update(List.of()));
  }

  /// Another round is needed.
  public static Verdict fail() {
    return new Verdict(false, new Update(List.of()));
  }

  /// Returns this verdict with another write.
  public <W> Verdict and(Channel<?, W> channel, W value) {
    return new Verdict(passed, update.and(channel, value));
  }

  /// Returns this verdict with more writes.
  public Verdict and(Update more) {
    return new Verdict(passed, update.and(more));
  }
}
