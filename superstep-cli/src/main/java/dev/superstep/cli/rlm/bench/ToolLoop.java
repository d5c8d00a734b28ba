package dev.superstep.cli.rlm.bench;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import java.util.HashMap;
import java.util.List;

/// A scripted model that follows a policy by tool calls in JSON. Immutable.
///
/// @param isParallel whether a turn makes all calls that do not depend on each other, or one
record ToolLoop(ScriptedPolicy policy, boolean isParallel) implements ChatModel {
  private static final ModelRef REF = new ModelRef("scripted", "tool-loop");

  @Override
  public ModelRef ref() {
    return REF;
  }

  @Override
  public ChatReply call(ChatRequest request) {
    try {
      return ScriptedModel.text(policy.answer(known(request)));
    } catch (ScriptedPolicy.Needs needs) {
      var calls = isParallel ? needs.calls() : List.of(needs.calls().getFirst());
      return ScriptedModel.calls(calls.stream().map(ToolLoop::call).toArray(ToolCall[]::new));
    }
  }

  private static ToolCall call(ScriptedPolicy.Call call) {
    return new ToolCall(
        call.tool() + "-" + call.id(), call.tool(), Json.of(new Shop.Of(call.id())).text());
  }

  private static ScriptedPolicy.Known known(ChatRequest request) {
    var calls = new HashMap<String, ScriptedPolicy.Call>();
    var results = new HashMap<ScriptedPolicy.Call, String>();
    for (var message : request.messages()) {
      if (message instanceof AssistantMessage said) {
        for (var call : said.calls()) {
          var id = Json.parse(call.arguments()).as(Shop.Of.class).id();
          calls.put(call.id(), new ScriptedPolicy.Call(call.tool(), id));
        }
      } else if (message instanceof ToolMessage told) {
        var call = calls.get(told.callId());
        if (call != null) results.put(call, told.text());
      }
    }
    return new ScriptedPolicy.Known(results);
  }
}
