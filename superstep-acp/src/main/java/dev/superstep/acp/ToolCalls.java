package dev.superstep.acp;

import dev.superstep.json.Json;
import dev.superstep.lock.Mutex;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The tool calls of a session as its editor knows them, under ids that are unique in the session:
/// those of models are not. Safe for many threads.
final class ToolCalls {
  private final ToolCallForm form;
  private final Consumer<ObjectNode> updates;
  private final Map<Key, Shown> open = new LinkedHashMap<>();
  private final Map<Key, Integer> times = new HashMap<>();
  private final Mutex lock = new Mutex();

  /// @param updates takes those of the session
  ToolCalls(ToolCallForm form, Consumer<ObjectNode> updates) {
    this.form = form;
    this.updates = updates;
  }

  /// A call by the place of the graph that makes it.
  private record Key(String scope, String call) {}

  /// A call that has no result yet.
  private record Shown(String id, ToolCall call) {}

  /// Tells of a call that is going to be made.
  ///
  /// @param scope the path of the graph that it is made in; empty for the outermost
  void announce(String scope, ToolCall call) {
    Shown shown;
    try (var _ = lock.hold()) {
      var key = new Key(scope, call.id());
      int time = times.merge(key, 1, Integer::sum);
      var id = (scope.isEmpty() ? "" : scope + "/") + call.id() + (time == 1 ? "" : "-" + time);
      shown = new Shown(id, call);
      open.put(key, shown);
    }
    var update = form.call(shown.id(), call);
    updates.accept(update.put("sessionUpdate", "tool_call").put("status", "pending"));
  }

  /// Tells that a call has begun.
  void started(String scope, String call) {
    find(scope, call).ifPresent(shown -> updates.accept(update(shown.id(), "in_progress")));
  }

  /// Tells how far a call is.
  void progress(String scope, String call, String text) {
    find(scope, call)
        .ifPresent(shown -> {
          var update = update(shown.id(), "in_progress");
          form.addText(update.putArray("content"), text);
          updates.accept(update);
        });
  }

  /// Tells which terminal shows a call.
  void runs(String scope, String call, String terminal) {
    find(scope, call)
        .ifPresent(shown -> {
          var update = update(shown.id(), "in_progress");
          var content = update.putArray("content").addObject();
          content.put("type", "terminal").put("terminalId", terminal);
          updates.accept(update);
        });
  }

  /// Tells the result of a call; of one that is not known, or has one, nothing.
  void ended(String scope, ToolMessage result) {
    Shown shown;
    try (var _ = lock.hold()) {
      shown = open.remove(new Key(scope, result.callId()));
    }
    if (shown == null) return;
    var update = update(shown.id(), result.error() ? "failed" : "completed");
    form.addResult(update, shown.call(), result);
    updates.accept(update);
  }

  /// Tells that nothing more comes of the calls that are open.
  ///
  /// @param areDone whether they have done what they were for, such as to give the answer
  void endAll(boolean areDone) {
    List<Shown> left;
    try (var _ = lock.hold()) {
      left = List.copyOf(open.values());
      open.clear();
    }
    for (var shown : left) updates.accept(update(shown.id(), areDone ? "completed" : "failed"));
  }

  private Optional<Shown> find(String scope, String call) {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(open.get(new Key(scope, call)));
    }
  }

  private static ObjectNode update(String id, String status) {
    return Wire.object()
        .put("sessionUpdate", "tool_call_update")
        .put("toolCallId", id)
        .put("status", status);
  }

  /// The first open call of a tool with these arguments, as a question about it names it.
  ///
  /// @param taken the ids of those that were given before; gets this one
  Optional<ObjectNode> asked(String tool, Json arguments, List<String> taken) {
    var wanted = Wire.tree(arguments);
    for (var shown : openCalls()) {
      boolean isIt = shown.call().tool().equals(tool) && arguments(shown.call()).equals(wanted);
      if (!isIt || taken.contains(shown.id())) continue;
      taken.add(shown.id());
      return Optional.of(form.call(shown.id(), shown.call()));
    }
    return Optional.empty();
  }

  /// A call that a question is about and that was not told of.
  ObjectNode unknown(String id, String tool, Json arguments) {
    return form.call(id, new ToolCall(id, tool, arguments.text()));
  }

  /// Tells of a call that stands for a question.
  void ask(ObjectNode call) {
    var update = call.deepCopy();
    updates.accept(update.put("sessionUpdate", "tool_call").put("status", "pending"));
  }

  /// Tells that such a question is answered, or is not asked any more.
  void answered(ObjectNode call, boolean isAnswered) {
    updates.accept(update(Wire.text(call, "toolCallId"), isAnswered ? "completed" : "failed"));
  }

  private List<Shown> openCalls() {
    try (var _ = lock.hold()) {
      return new ArrayList<>(open.values());
    }
  }

  private static JsonNode arguments(ToolCall call) {
    return Wire.treeOrText(call.arguments().isBlank() ? "{}" : call.arguments());
  }
}
