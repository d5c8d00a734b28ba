package dev.superstep.graph;

import dev.superstep.state.State;
import org.jspecify.annotations.Nullable;

/// The code of a node.
sealed interface NodeBody {
  /// The type of what it must be sent, or empty.
  String argumentType();

  /// Runs the code.
  NodeResult run(@Nullable Object argument, State state, NodeContext context) throws Exception;

  record OnState(Node node) implements NodeBody {
    @Override
    public String argumentType() {
      return "";
    }

    @Override
    public NodeResult run(@Nullable Object argument, State state, NodeContext context)
        throws Exception {
      return node.run(state, context);
    }
  }

  record OnArgument<A>(Target<A> target, SendNode<A> node) implements NodeBody {
    @Override
    public String argumentType() {
      return target.codec().type();
    }

    @Override
    @SuppressWarnings("unchecked") // only sends to this very target get here
    public NodeResult run(@Nullable Object argument, State state, NodeContext context)
        throws Exception {
      return node.run((A) java.util.Objects.requireNonNull(argument), state, context);
    }
  }
}
