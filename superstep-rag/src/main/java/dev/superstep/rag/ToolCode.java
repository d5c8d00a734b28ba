package dev.superstep.rag;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.tool.ToolCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The code of a node of kind `tool_executor`: runs the open calls that name its tools. Each result
/// is saved before the next call begins. Immutable.
record ToolCode(Scene scene, ToolCaller caller, Optional<Channel<Object, Object>> calls, NodeEnd end)
    implements NodeCode {
  private static final Duration MOST = Duration.ofDays(1);

  static ToolCode of(Scene scene, ToolCaller caller, NodeEnd end) {
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
      scene.meter().refuse(state, done.size() + 1L);
      var key = "tool " + done.size() + " " + call.id();
      done.add(context.step(key, ToolMessage.class, () -> result(call, state, context)));
    }
    var update =
        scene.messages().map(m -> Update.all(m, done)).orElse(new Update(List.of()));
    return end.of(scene.meter().spent(update, dev.superstep.budget.Spend.NONE, done.size()));
  }

  private List<ToolCall> open(State state) {
    var given = calls.flatMap(channel -> state.find(channel).map(v -> read(channel, v)));
    return given.orElseGet(
        () -> scene.messages().map(m -> Messages.openCalls(state.get(m))).orElse(List.of()));
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
      case ToolCaller.Checked.Good good ->
          ToolCaller.message(call, caller.call(good, context, state, MOST, _ -> {}));
    };
  }
}
