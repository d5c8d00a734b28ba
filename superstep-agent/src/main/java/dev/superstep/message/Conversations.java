package dev.superstep.message;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Conversations as vendors accept them.
public final class Conversations {
  private Conversations() {}

  /// Completes a conversation so that each tool call has exactly one answer, next to it: calls that
  /// were cut off by a cancel or a crash get an answer that says so, and answers without a call are
  /// removed. Returns the given list if nothing is amiss.
  public static List<Message> complete(List<Message> messages) {
    if (isComplete(messages, 0)) return messages;
    var complete = new ArrayList<Message>(messages.size() + 2);
    for (int i = 0; i < messages.size(); i++) {
      var message = messages.get(i);
      // Answers are taken along with their calls.
      if (message instanceof ToolMessage) continue;
      complete.add(message);
      if (message instanceof AssistantMessage reply && reply.hasToolCalls()) {
        answered(reply, messages, i + 1, complete);
      }
    }
    return complete;
  }

  private static void answered(
      AssistantMessage reply, List<Message> messages, int from, List<Message> to) {
    var answers = new HashMap<String, ToolMessage>();
    for (var next : messages.subList(from, messages.size())) {
      if (next instanceof AssistantMessage other && other.hasToolCalls()) break;
      if (next instanceof ToolMessage result) answers.putIfAbsent(result.callId(), result);
    }
    for (var call : reply.calls()) {
      var answer = answers.get(call.id());
      var missing = "Not run: the conversation was interrupted.";
      to.add(answer != null ? answer : new ToolMessage("", call.id(), call.tool(), missing, true));
    }
  }

  /// Returns true if each tool call has exactly one answer, next to it.
  ///
  /// @param from the number of first messages of which that is known
  public static boolean isComplete(List<Message> messages, int from) {
    Set<String> open = new HashSet<>();
    for (var message : messages.subList(from, messages.size())) {
      if (message instanceof ToolMessage answer) {
        if (!open.remove(answer.callId())) return false;
      } else {
        if (!open.isEmpty()) return false;
        if (message instanceof AssistantMessage reply) {
          for (var call : reply.calls()) open.add(call.id());
        }
      }
    }
    return open.isEmpty();
  }
}
