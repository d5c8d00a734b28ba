package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.event.Event;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.Usage;
import dev.superstep.server.internal.wire.Trees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The channel `messages` of the protocol: what models say, block by block, and the messages that
/// nodes write. Results of tools are not among them; they are told on the channel `tools`. For one
/// run and one thread.
final class MessageEvents {
  private final RunContext run;
  private final StreamPlaces places;
  private final MessageIds ids = new MessageIds();
  // Those that have begun, by task and by their ids.
  private final Map<String, Map<String, SpokenMessage>> open = new HashMap<>();
  private final Set<String> told = new HashSet<>();

  MessageEvents(RunContext run, StreamPlaces places) {
    this.run = run;
    this.places = places;
  }

  void of(Event event, ProtocolEventList events) {
    switch (event) {
      case Event.TextArrived e -> {
        var piece = e.piece();
        var id = ids.id(e.task(), e.attempt(), piece.call());
        begun(e, id, piece.model(), events).text(piece.text(), events);
      }
      case Event.NodeEmitted e -> emitted(e, events);
      case Event.NodeUpdated e -> written(e, events);
      case Event.NodeRetried e -> failed(e.task(), "The node is tried again: " + e.error(), events);
      case Event.NodeFailed e -> failed(e.task(), e.error(), events);
      default -> {}
    }
  }

  private SpokenMessage begun(
      Event.OfNode event, String id, String model, ProtocolEventList events) {
    var ofTask = open.computeIfAbsent(event.task(), _ -> new LinkedHashMap<>());
    var known = ofTask.get(id);
    if (known != null) return known;
    var made = new SpokenMessage(event.node(), events.namespace());
    made.start("ai", id, metadata(event, model), events);
    ofTask.put(id, made);
    return made;
  }

  private void emitted(Event.NodeEmitted event, ProtocolEventList events) {
    switch (AgentEvent.of(event).orElse(null)) {
      case AgentEvent.ModelDelta delta when delta.what() == AgentEvent.ModelDelta.What.THINKING ->
          begun(event, ids.id(event.task(), 1, delta.call()), "", events)
              .thought(delta.text(), events);
      case AgentEvent.ModelCompleted done -> {
        var said = said(event.task(), ids.id(event.task(), 1, done.call()));
        if (said != null) said.usage(tokens(done.usage()));
      }
      case null, default -> {}
    }
  }

  private @Nullable SpokenMessage said(String task, String id) {
    var ofTask = open.get(task);
    return ofTask == null ? null : ofTask.get(id);
  }

  private static ObjectNode tokens(Usage usage) {
    var json = Trees.object();
    long input = usage.input() + usage.cachedInput() + usage.cacheWrite();
    json.put("input_tokens", input).put("output_tokens", usage.output());
    json.put("total_tokens", input + usage.output());
    var details = json.putObject("input_token_details");
    details.put("cache_read", usage.cachedInput()).put("cache_creation", usage.cacheWrite());
    json.putObject("output_token_details").put("reasoning", usage.reasoning());
    return json;
  }

  /// The messages that a task wrote. What else its models said is told to its end as it was said.
  private void written(Event.NodeUpdated event, ProtocolEventList events) {
    ids.forget(event.task());
    var wire = places.wire(event.origin().path());
    if (wire.isPresent()) {
      for (var write : event.writes()) {
        var form = wire.get().channels().get(write.channel());
        if (form == null || !form.isConversation()) continue;
        if (write instanceof SavedWrite.Put(_, var value)) {
          whole(event, value.as(Message.class), events);
        }
      }
    }
    var rest = open.remove(event.task());
    if (rest != null) rest.values().forEach(said -> said.end(events));
  }

  private void whole(Event.NodeUpdated event, Message message, ProtocolEventList events) {
    // A graph around writes what a graph inside has written.
    if (message instanceof ToolMessage || !told.add(message.id())) return;
    var ofTask = open.get(event.task());
    var said = ofTask == null ? null : ofTask.remove(message.id());
    if (said != null) {
      said.complete(message, true, events);
      return;
    }
    var made = new SpokenMessage(event.node(), events.namespace());
    made.start(role(message), message.id(), metadata(event, ""), events);
    made.complete(message, false, events);
  }

  private static String role(Message message) {
    return switch (message) {
      case AssistantMessage _ -> "ai";
      case UserMessage _ -> "human";
      case SystemMessage _ -> "system";
      case ToolMessage _ -> "tool";
    };
  }

  private void failed(String task, String why, ProtocolEventList events) {
    ids.forget(task);
    var rest = open.remove(task);
    if (rest != null) rest.values().forEach(said -> said.fail(why, events));
  }

  /// @param model `provider://name`, or empty if it is not known
  private ObjectNode metadata(Event.OfNode event, String model) {
    var json = Trees.object().put("run_id", run.run()).put("thread_id", run.thread());
    json.put("langgraph_node", event.node());
    var place = places.task(event.task());
    if (place != null) {
      json.put("langgraph_step", place.step()).put("langgraph_checkpoint_ns", place.inside());
    }
    int scheme = model.indexOf("://");
    if (scheme <= 0) return json;
    json.put("provider", model.substring(0, scheme)).put("model", model.substring(scheme + 3));
    return json.put("model_type", "chat");
  }
}
