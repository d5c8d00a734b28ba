package dev.superstep.agent;

import dev.superstep.message.ToolCall;
import java.util.Optional;

/// A call that a tool node answers.
///
/// @param refused why it is not run, for the model, if it is not
record ToolTask(ToolCall call, Optional<String> refused) {}
