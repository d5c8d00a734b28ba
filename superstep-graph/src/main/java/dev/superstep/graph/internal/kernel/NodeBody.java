package dev.superstep.graph.internal.kernel;

import dev.superstep.node.NodeResult;
import dev.superstep.node.Target;
import dev.superstep.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The code of a node.
public sealed interface NodeBody {
  /// The type of what it must be sent, or empty.
  String argumentType();

  /// The shape of that type, as [dev.superstep.json.Codec#shape].
  String argumentShape();

  /// Runs the code.
  NodeResult run(@Nullable Object argument, State state, EngineContext context) throws Exception;

  /// Runs on the state alone.
  record OnState(Work work) implements NodeBody {
    /// The code, which knows the engine's own context.
    @FunctionalInterface
    public interface Work {
      NodeResult run(State state, EngineContext context) throws Exception;
    }

    @Override
    public String argumentType() {
      return "";
    }

    @Override
    public String argumentShape() {
      return "";
    }

    @Override
    public NodeResult run(@Nullable Object argument, State state, EngineContext context)
        throws Exception {
      return work.run(state, context);
    }
  }

  /// Runs on what it is sent.
  record OnArgument<A>(Target<A> target, SentWork<A> work) implements NodeBody {
    /// The code, which knows the engine's own context.
    @FunctionalInterface
    public interface SentWork<A> {
      NodeResult run(A argument, State state, EngineContext context) throws Exception;
    }

    @Override
    public String argumentType() {
      return target.codec().type();
    }

    @Override
    public String argumentShape() {
      return target.codec().shape();
    }

    @Override
    @SuppressWarnings("unchecked") // only sends to this very target get here
    public NodeResult run(@Nullable Object argument, State state, EngineContext context)
        throws Exception {
      return work.run((A) Objects.requireNonNull(argument), state, context);
    }
  }
}
