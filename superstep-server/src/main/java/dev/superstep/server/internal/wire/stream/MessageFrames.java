package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.event.Event;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.server.internal.wire.MessageJson;
import dev.superstep.server.internal.wire.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The frames about messages: their pieces while models say them, and those that nodes wrote. For
/// one run and one thread.
final class MessageFrames {
  private static final String METADATA = "messages/metadata";

  private final RunContext run;
  private final StreamPlaces places;
  private final Map<String, StringBuilder> said = new HashMap<>();
  private final MessageIds ids = new MessageIds();
  private final Set<String> seen = new HashSet<>();

  MessageFrames(RunContext run, StreamPlaces places) {
    this.run = run;
    this.places = places;
  }

  /// A piece of text.
  void text(Event.TextArrived event, FrameList frames) {
    if (!isWanted(frames)) return;
    var piece = event.piece();
    var id = id(event.task(), event.attempt(), piece.call());
    var metadata = metadata(event.task(), piece.model());
    frames.add(StreamMode.MESSAGES_TUPLE, tuple(MessageJson.chunk(id, piece.text()), metadata));
    var text = said.get(id);
    if (text == null) {
      text = new StringBuilder();
      said.put(id, text);
      if (frames.has(StreamMode.MESSAGES)) frames.add(METADATA, about(id, metadata));
    }
    if (!frames.has(StreamMode.MESSAGES)) return;
    text.append(piece.text());
    var partial = MessageJson.write(new AssistantMessage(id, text.toString(), List.of()));
    frames.add("messages/partial", one(partial));
  }

  private static boolean isWanted(FrameList frames) {
    return frames.has(StreamMode.MESSAGES_TUPLE) || frames.has(StreamMode.MESSAGES);
  }

  /// A piece of thoughts.
  void thought(Event.NodeEmitted event, AgentEvent.ModelDelta delta, FrameList frames) {
    if (delta.what() != AgentEvent.ModelDelta.What.THINKING) return;
    if (!frames.has(StreamMode.MESSAGES_TUPLE)) return;
    var json = MessageJson.thought(id(event.task(), 1, delta.call()), delta.text());
    frames.add(StreamMode.MESSAGES_TUPLE, tuple(json, metadata(event.task(), "")));
  }

  /// The id of the message that a model is saying.
  String id(String task, int attempt, int call) {
    return ids.id(task, attempt, call);
  }

  /// The messages that a task wrote.
  void written(Event.NodeUpdated event, FrameList frames) {
    ids.forget(event.task());
    var wire = places.wire(event.origin().path());
    if (wire.isEmpty() || !isWanted(frames)) return;
    for (var write : event.writes()) {
      var form = wire.get().channels().get(write.channel());
      if (form == null || !form.isConversation()) continue;
      if (write instanceof SavedWrite.Put(_, var value)) {
        whole(value.as(Message.class), event.task(), frames);
      }
    }
  }

  private void whole(Message message, String task, FrameList frames) {
    // A graph around writes what a graph inside has written.
    if (!seen.add(message.id())) return;
    var metadata = metadata(task, "");
    boolean isSaid = said.remove(message.id()) != null;
    var json = MessageJson.write(message);
    if (!isSaid) frames.add(StreamMode.MESSAGES_TUPLE, tuple(json, metadata));
    else if (message instanceof AssistantMessage reply && reply.hasToolCalls()) {
      frames.add(StreamMode.MESSAGES_TUPLE, tuple(MessageJson.calls(reply), metadata));
    }
    if (!frames.has(StreamMode.MESSAGES)) return;
    if (!isSaid) frames.add(METADATA, about(message.id(), metadata));
    frames.add("messages/complete", one(json));
  }

  private static JsonNode tuple(ObjectNode message, ObjectNode metadata) {
    return JsonNodeFactory.instance.arrayNode().add(message).add(metadata);
  }

  private static JsonNode one(ObjectNode message) {
    return JsonNodeFactory.instance.arrayNode().add(message);
  }

  private static JsonNode about(String id, ObjectNode metadata) {
    var json = Trees.object();
    json.putObject(id).set("metadata", metadata);
    return json;
  }

  /// The metadata of messages of a task.
  ///
  /// @param model `provider://name`, or empty if it is not known
  private ObjectNode metadata(String task, String model) {
    var json = Trees.object();
    run.metadata().forEach(json::set);
    json.put("run_id", run.run()).put("thread_id", run.thread());
    json.put("graph_id", places.graph()).put("assistant_id", run.assistant());
    json.putArray("tags");
    int scheme = model.indexOf("://");
    if (scheme > 0) {
      json.put("ls_provider", model.substring(0, scheme));
      json.put("ls_model_name", model.substring(scheme + 3)).put("ls_model_type", "chat");
    }
    var place = places.task(task);
    if (place == null) return json;
    json.put("langgraph_node", place.node()).put("langgraph_step", place.step());
    var triggers = json.putArray("langgraph_triggers");
    place.triggers().forEach(triggers::add);
    json.putArray("langgraph_path").add("__pregel_pull").add(place.node());
    return json.put("langgraph_checkpoint_ns", place.inside()).put("checkpoint_ns", place.inside());
  }
}
