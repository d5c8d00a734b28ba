package dev.superstep.mcp.server;

import dev.superstep.checkpoint.Interrupt;
import java.time.Instant;
import java.util.List;

/// A call that waits for answers, or that its process left behind. Immutable.
///
/// @param id of the call
/// @param thread its thread in the checkpointer
/// @param principal who called
/// @param isTask whether its client asks for the result later
/// @param questions that are open
public record OpenCall(
    String id,
    String tool,
    String thread,
    String principal,
    boolean isTask,
    Instant since,
    List<Interrupt> questions) {
  public OpenCall {
    questions = List.copyOf(questions);
  }
}
