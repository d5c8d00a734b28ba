package dev.superstep.a2a.server;

import dev.superstep.server.extension.EventSource;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The result of an operation, before a binding of the protocol gives it a form.
sealed interface OperationResult {
  /// A value.
  record Done(JsonNode value) implements OperationResult {}

  /// A value that is awaited.
  record Later(Callable<JsonNode> value) implements OperationResult {}

  /// The updates of a task.
  ///
  /// @param source by the form of an update
  record Updates(Function<UnaryOperator<ObjectNode>, EventSource> source)
      implements OperationResult {}
}
