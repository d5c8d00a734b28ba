package dev.superstep.tool;

import dev.superstep.error.NodeFailed;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The code of a tool, for arguments that its schema accepts. Safe for many threads if the code of
/// the program is.
interface ToolBody {
  /// Returns true if a call without any arguments must be a mistake.
  boolean hasArguments();

  /// Sentences on what is wrong that no schema says, such as a date that does not exist.
  List<String> problems(Json arguments);

  /// Does it.
  ///
  /// @param arguments that have no problems
  @Nullable Object call(Json arguments, ToolContext context) throws Exception;

  /// Hands the arguments to a handler, as one value.
  record Handled<A>(Codec<A> codec, boolean hasArguments, ToolHandler<A> handler)
      implements ToolBody {
    @Override
    public List<String> problems(Json arguments) {
      try {
        codec.decode(arguments);
        return List.of();
      } catch (MalformedJson e) {
        return List.of(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public @Nullable Object call(Json arguments, ToolContext context) throws Exception {
      return handler.call(codec.decode(arguments), context);
    }
  }

  /// Runs a graph by itself.
  record Run(Codec<?> codec, boolean hasArguments, ToolGraph graph) implements ToolBody {
    @Override
    public List<String> problems(Json arguments) {
      try {
        codec.decode(arguments);
        return List.of();
      } catch (MalformedJson e) {
        return List.of(String.valueOf(e.getMessage()));
      }
    }

    @Override
    public Object call(Json arguments, ToolContext context) throws Exception {
      try {
        return switch (graph.graph().invoke(graph.input(arguments))) {
          case Outcome.Completed(var end) -> graph.result(end);
          case Outcome.Interrupted _, Outcome.Stopped _ ->
              ToolResult.error("It did not come to an end.");
        };
      } catch (NodeFailed e) {
        // In its own words, if they are ours: which node it was is no matter of the model.
        throw e.getCause() instanceof SuperstepException cause ? cause : e;
      }
    }

    Run within(ToolGate gate) {
      return new Run(codec, hasArguments, graph.within(gate));
    }
  }
}
