package dev.superstep.flow;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.message.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The conversations of a flow's agents with their models. They are separate from its snapshots,
/// because they grow, and may have to be stored elsewhere or not at all. Immutable.
///
/// @param conversations one for each run of an agent, in the order in which they began
public record FlowHistory(List<Conversation> conversations) {
  private static final int FORMAT = 1;
  private static final Codec<Form> CODEC = Codec.of(Form.class);
  private static final Codec<Message> MESSAGE = Codec.of(Message.class);

  public FlowHistory {
    conversations = List.copyOf(conversations);
  }

  /// A conversation of one run of an agent.
  ///
  /// @param agent the name of the agent
  /// @param task the engine's task in which it ran, which tells its runs apart
  public record Conversation(String agent, String task, List<Message> messages) {
    public Conversation {
      messages = List.copyOf(messages);
    }

    List<Json> items() {
      return messages.stream().map(MESSAGE::encode).toList();
    }
  }

  private record Form(int format, List<Conversation> conversations) {}

  /// A history without conversations.
  public static FlowHistory none() {
    return new FlowHistory(List.of());
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws FlowError.SnapLoadError if it is something else; with the path to what is wrong
  public static FlowHistory parse(String json) {
    try {
      var form = CODEC.decode(Json.parse(json));
      if (form.format() != FORMAT) {
        throw new FlowError.SnapLoadError(
            "the format of its history is %s, and this version reads %s."
                .formatted(form.format(), FORMAT),
            null);
      }
      return new FlowHistory(form.conversations());
    } catch (MalformedJson e) {
      throw new FlowError.SnapLoadError(String.valueOf(e.getMessage()), e);
    }
  }

  /// The history as text, in lines.
  public String json() {
    return PrettyJson.of(CODEC.encode(new Form(FORMAT, conversations)));
  }

  /// Returns the conversation of a task, if it is known.
  Optional<Conversation> of(String task) {
    return conversations.stream().filter(c -> c.task().equals(task)).findFirst();
  }

  static Message message(Json item) {
    return MESSAGE.decode(item);
  }

  /// Returns both histories together; the newer one wins for a task that is in both.
  FlowHistory and(FlowHistory later) {
    var all = new ArrayList<Conversation>();
    for (var one : conversations) if (later.of(one.task()).isEmpty()) all.add(one);
    all.addAll(later.conversations);
    return new FlowHistory(all);
  }
}
