package dev.superstep.agent.internal.state;

import dev.superstep.message.ToolCall;
import dev.superstep.model.RequestDigest;
import dev.superstep.node.NodeContext;
import java.time.Instant;
import java.util.Optional;

/// The approval of a tool call by a person. It counts for exactly this call, on the thread on which
/// it was given, and for the tasks that follow it there: those of a rewind, a fork or a copy have
/// other generations or another thread.
///
/// @param call the id of the call
/// @param digest of tool and arguments
/// @param generation the beginning of the id of the task that asked
/// @param at when it was given; empty if that is not recorded
public record ApprovedCall(
    String call, String digest, Optional<String> thread, String generation, Optional<Instant> at) {
  /// The approval that a node has just been given.
  public static ApprovedCall of(ToolCall call, NodeContext node, Optional<Instant> at) {
    return new ApprovedCall(call.id(), RequestDigest.of(call), node.thread(), generation(node), at);
  }

  /// Returns whether it counts for a call that a node is about to make.
  public boolean allows(ToolCall other, NodeContext node) {
    return call.equals(other.id())
        && thread.equals(node.thread())
        && generation.equals(generation(node))
        && digest.equals(RequestDigest.of(other));
  }

  /// A task's id is made of generation, superstep, node and, if there are several, a number.
  private static String generation(NodeContext node) {
    var task = node.task();
    int name = task.lastIndexOf("/" + node.node());
    return name < 0 ? task : task.substring(0, task.lastIndexOf('/', name - 1));
  }
}
