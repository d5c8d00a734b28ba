package dev.superstep.flow;

import dev.superstep.error.AnswerRejected;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.TokenUnread;
import dev.superstep.json.MalformedJson;
import dev.superstep.json.SuperstepException;
import java.util.LinkedHashSet;
import java.util.List;

/// Converts errors of the graph into errors of the flow. Immutable.
record FlowErrors(Flow.Shape<?, ?> shape) {
  /// Returns the error of the flow for this one, or this one if it has no counterpart.
  SuperstepException of(SuperstepException error) {
    return switch (error) {
      case NodeFailed failed -> failed(failed);
      case Deadlock stuck -> stuck(stuck);
      case AnswerRejected rejected ->
          new FlowError.DeserializeError(
              shape.name(), "the answer", rejected.getMessage(), rejected);
      case TokenUnread unread ->
          new FlowError.Conflict(shape.name(), unread.channel(), List.of(unread.node()), unread);
      case ConcurrentWrites twice ->
          new FlowError.Conflict(
              shape.name(),
              twice.channel(),
              List.of(twice.first().node(), twice.second().node()),
              twice);
      case MalformedJson json -> new FlowError.SerializeError(shape.name(), "a state", json);
      default -> error;
    };
  }

  private SuperstepException failed(NodeFailed failed) {
    var cause = failed.getCause();
    if (cause instanceof FlowError own && !(cause instanceof FlowError.AgentError)) return own;
    var why = why(cause == null ? failed : cause);
    for (var part : shape.parts()) {
      if (part.name().equals(failed.node()) && part.kind() == StepDefinition.Kind.AGENT) {
        return new FlowError.AgentError(shape.name(), failed.node(), why, failed);
      }
    }
    return new FlowError.StepError(shape.name(), failed.node(), why, failed);
  }

  private static String why(Throwable cause) {
    // What failed in a graph inside says itself where.
    var at = cause;
    while (at instanceof NodeFailed && at.getCause() != null) at = at.getCause();
    var message = at.getMessage();
    if (at instanceof SuperstepException && message != null) return message;
    var name = at.getClass().getSimpleName();
    return message == null ? name + "." : name + ": " + message;
  }

  private FlowError stuck(Deadlock deadlock) {
    var stuck = new LinkedHashSet<String>();
    var missing = new LinkedHashSet<String>();
    for (var waiting : deadlock.waiting()) {
      missing.addAll(waiting.missing());
      for (var part : shape.parts()) {
        if (!part.name().equals(waiting.node())) continue;
        for (var state : part.takes()) {
          if (!waiting.missing().contains(state.key())) stuck.add(state.key());
        }
      }
    }
    return new FlowError.Deadlock(shape.name(), List.copyOf(stuck), List.copyOf(missing), deadlock);
  }
}
