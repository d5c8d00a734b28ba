package dev.superstep.shape;

import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import java.util.List;

/// The result of a [LoopCheck]. Immutable.
///
/// @param passed whether the loop is done
/// @param update what it writes, such as the notes of a review
public record LoopVerdict(boolean passed, Update update) {
  /// The loop is done.
  public static LoopVerdict pass() {
    return new LoopVerdict(true, new Update(List.of()));
  }

  /// Another round is needed.
  public static LoopVerdict fail() {
    return new LoopVerdict(false, new Update(List.of()));
  }

  /// Returns this verdict with another write.
  public <W> LoopVerdict and(Channel<?, W> channel, W value) {
    return new LoopVerdict(passed, update.and(channel, value));
  }

  /// Returns this verdict with more writes.
  public LoopVerdict and(Update more) {
    return new LoopVerdict(passed, update.and(more));
  }
}
