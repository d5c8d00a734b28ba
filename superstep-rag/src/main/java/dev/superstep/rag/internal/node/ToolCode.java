package dev.superstep.rag.internal.node;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.internal.run.Scene;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The code of a node of kind `tool_executor`: runs the open calls that name its tools. Each result
/// is saved before the next call begins. Immutable.
public record ToolCode(
    Scene scene, ToolCaller caller, Optional<Channel<Object, Object>> calls, NodeEnd end)
    implements NodeCode {
  private static final Duration MOST = Duration.ofDays(1);

  public static ToolCode of(Scene scene, ToolCaller caller, NodeEnd end) {
    var calls =
        scene.channels().containsKey("tool_calls")
            ? Optional.of(scene.channel("tool_calls"))
            : Optional.<Channel<Object, Object>>empty();
    return new ToolCode(scene, caller, calls, end);
  }

  @Override
  public NodeResult run(State state, @Nullable Object argument, NodeContext context)
      throws Exception {
    scene.meter().begin(state, context);
    var names = caller.tools().names();
    var done = new ArrayList<ToolMessage>();
    for (var call : open(state)) {
      if (!names.contains(call.tool())) continue;
      var key = "tool " + done.size() + " " + call.id();
      done.add(context.step(key, ToolMessage.class, () -> result(call, state, context)));
    }
    var update = scene.messages().map(m -> Update.all(m, done)).orElse(new Update(List.of()));
    update = update.and(scene.conventions().artifacts(context.node(), done));
    return end.of(
        scene
            .meter()
            .spent(update, dev.superstep.budget.Spend.NONE, scene.meter().toolCallsOf(context)));
  }

  private List<ToolCall> open(State state) {
    var given = calls.flatMap(channel -> state.find(channel).map(v -> read(channel, v)));
    return given.orElseGet(
        () -> scene.messages().map(m -> unanswered(state.get(m))).orElse(List.of()));
  }

  /// The calls in a conversation that have no answer, in order. Somebody may have said something
  /// since.
  private static List<ToolCall> unanswered(List<Message> conversation) {
    var calls = new LinkedHashMap<String, ToolCall>();
    for (var message : conversation) {
      switch (message) {
        case AssistantMessage reply -> reply.calls().forEach(call -> calls.put(call.id(), call));
        case ToolMessage answer -> calls.remove(answer.callId());
        case SystemMessage _, UserMessage _ -> {}
      }
    }
    return List.copyOf(calls.values());
  }

  private static List<ToolCall> read(Channel<Object, Object> channel, Object value) {
    Json json = channel.values().encode(value);
    return Codec.listOf(ToolCall.class).decode(json);
  }

  private ToolMessage result(ToolCall call, State state, NodeContext context)
      throws InterruptedException {
    return switch (caller.admit(call)) {
      case ToolCaller.Checked.Bad(_, _, var why) ->
          new ToolMessage("", call.id(), call.tool(), why, true);
      case ToolCaller.Checked.Good good -> {
        scene.meter().toolCall(context);
        yield ToolCaller.message(call, caller.call(good, context, state, MOST, _ -> {}));
      }
    };
  }
}
