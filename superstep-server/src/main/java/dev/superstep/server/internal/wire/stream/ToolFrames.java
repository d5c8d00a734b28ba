package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.server.internal.wire.MessageJson;
import dev.superstep.server.internal.wire.Trees;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The frames about the tools of agents. For one run and one thread.
final class ToolFrames {
  private final StreamPlaces places;
  private final Map<String, ToolCall> due = new HashMap<>();
  private final Map<String, String> running = new HashMap<>();

  ToolFrames(StreamPlaces places) {
    this.places = places;
  }

  void started(Event.TaskStarted event) {
    event.argument().flatMap(Agent::sentCall).ifPresent(call -> due.put(call.id(), call));
  }

  void told(AgentEvent event, FrameList frames) {
    if (!frames.has(StreamMode.TOOLS)) return;
    switch (event) {
      case AgentEvent.ToolStarted(_, var call, var tool) -> {
        running.put(call, tool);
        var json = Trees.object().put("event", "on_tool_start");
        json.put("toolCallId", call).put("name", tool);
        var known = due.remove(call);
        if (known != null) json.set("input", arguments(known.arguments()));
        frames.add(StreamMode.TOOLS, json);
      }
      case AgentEvent.ToolProgress(_, var call, var tool, var text) -> {
        var json = Trees.object().put("event", "on_tool_event");
        json.put("toolCallId", call).put("name", tool);
        frames.add(StreamMode.TOOLS, json.put("data", text));
      }
      default -> {}
    }
  }

  static JsonNode arguments(String text) {
    try {
      return Trees.of(Json.parse(text));
    } catch (MalformedJson _) {
      return JsonNodeFactory.instance.stringNode(text);
    }
  }

  /// The results of tools among what a task wrote.
  void written(Event.NodeUpdated event, FrameList frames) {
    var wire = places.wire(event.origin().path());
    if (wire.isEmpty() || !frames.has(StreamMode.TOOLS)) return;
    for (var write : event.writes()) {
      var form = wire.get().channels().get(write.channel());
      if (form == null || !form.isConversation()) continue;
      if (write instanceof SavedWrite.Put(_, var value)
          && value.as(Message.class) instanceof ToolMessage result) {
        ended(result, frames);
      }
    }
  }

  private void ended(ToolMessage result, FrameList frames) {
    if (running.remove(result.callId()) == null) return;
    var json = Trees.object().put("event", result.error() ? "on_tool_error" : "on_tool_end");
    json.put("toolCallId", result.callId()).put("name", result.tool());
    if (result.error()) json.put("error", result.text());
    else json.set("output", MessageJson.write(result));
    frames.add(StreamMode.TOOLS, json);
  }
}
