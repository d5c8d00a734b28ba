package dev.superstep.agent.internal.state;

import dev.superstep.message.ToolCall;
import java.util.Optional;

/// A call that a tool node answers.
///
/// @param refused why it is not run, for the model, if it is not
public record ToolTask(ToolCall call, Optional<String> refused) {}
