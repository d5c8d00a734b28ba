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

  /// Reads arguments that the schema accepts.
  Read read(Json arguments);

  /// Does it.
  ///
  /// @param arguments the value of a [Read] without problems
  @Nullable Object call(Object arguments, ToolContext context) throws Exception;

  /// Arguments that were read.
  ///
  /// @param problems sentences on what is wrong that no schema says, such as a date that does not
  ///   exist
  /// @param value what the body is called with, if there are none
  record Read(List<String> problems, Object value) {
    static Read of(Codec<?> codec, Json arguments) {
      try {
        return new Read(List.of(), codec.decode(arguments));
      } catch (MalformedJson e) {
        return new Read(List.of(String.valueOf(e.getMessage())), arguments);
      }
    }
  }

  /// Hands the arguments to a handler, as one value.
  record Handled<A>(Codec<A> codec, boolean hasArguments, ToolHandler<A> handler)
      implements ToolBody {
    @Override
    public Read read(Json arguments) {
      return Read.of(codec, arguments);
    }

    @Override
    @SuppressWarnings("unchecked") // what its codec read
    public @Nullable Object call(Object arguments, ToolContext context) throws Exception {
      return handler.call((A) arguments, context);
    }
  }

  /// Runs a graph by itself.
  record Run(Codec<?> codec, boolean hasArguments, ToolGraph graph) implements ToolBody {
    /// Checks that the codec can read the arguments. The graph's input is made from their JSON.
    @Override
    public Read read(Json arguments) {
      return new Read(Read.of(codec, arguments).problems(), arguments);
    }

    @Override
    public Object call(Object arguments, ToolContext context) throws Exception {
      try {
        return switch (graph.graph().invoke(graph.input((Json) arguments))) {
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
