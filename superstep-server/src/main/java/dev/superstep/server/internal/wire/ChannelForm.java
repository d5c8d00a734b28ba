package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.JsonLimit;
import dev.superstep.message.Message;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The JSON of one channel, both ways. Immutable.
public final class ChannelForm<V, W> {
  private static final String MESSAGE = Codec.of(Message.class).type();

  private final Channel<V, W> channel;

  private ChannelForm(Channel<V, W> channel) {
    this.channel = channel;
  }

  public static <V, W> ChannelForm<V, W> of(Channel<V, W> channel) {
    return new ChannelForm<>(channel);
  }

  public Channel<V, W> channel() {
    return channel;
  }

  /// Returns whether it holds a conversation.
  public boolean isConversation() {
    return isCollection() && channel.writes().type().equals(MESSAGE);
  }

  /// Returns whether its value is a collection of what is written to it.
  public boolean isCollection() {
    var item = channel.writes().type();
    var value = channel.values().type();
    return value.equals("list<" + item + ">") || value.equals("set<" + item + ">");
  }

  /// The value in a state, or empty if it holds nothing.
  public Optional<JsonNode> value(State state) {
    return state.find(channel).map(value -> shown(channel.values().encode(value)));
  }

  /// The stored value for clients.
  public JsonNode shown(Json value) {
    var tree = Trees.of(value);
    if (!isConversation() || !tree.isArray()) return tree;
    var all = JsonNodeFactory.instance.arrayNode();
    for (var message : tree) all.add(message(message));
    return all;
  }

  private static JsonNode message(JsonNode stored) {
    return MessageJson.write(Json.unchecked(stored.toString()).as(Message.class));
  }

  /// The writes to the channel, for clients: of a collection the list of the items.
  public JsonNode written(List<SavedWrite> writes) {
    var all = JsonNodeFactory.instance.arrayNode();
    boolean isList = isCollection();
    for (var write : writes) {
      switch (write) {
        case SavedWrite.Put(_, var value) -> {
          var tree = Trees.of(value);
          all.add(isConversation() ? message(tree) : tree);
        }
        case SavedWrite.Overwrite(_, var value) -> {
          all.removeAll();
          var shown = shown(value);
          if (isList && shown.isArray()) shown.forEach(all::add);
          else all.add(shown);
        }
        case SavedWrite.Remove(_, var key) ->
            all.add(isConversation() ? MessageJson.removal(key) : Trees.object().putNull(key));
      }
    }
    return isList || all.size() != 1 ? all : all.path(0);
  }

  /// The writes that a client asks for.
  ///
  /// @throws HttpFailure 422 if the value does not fit
  public List<Write> read(JsonNode value) {
    var where = channel.name();
    if (isConversation()) return conversation(value);
    if (!isCollection() || !value.isArray()) return List.of(put(write(value, where)));
    var all = new ArrayList<W>();
    int i = 0;
    for (var item : value) all.add(write(item, where + "[" + i++ + "]"));
    return all.isEmpty() ? List.of() : List.of(new Write.PutAll<>(channel, all));
  }

  private List<Write> conversation(JsonNode value) {
    var all = new ArrayList<Write>();
    boolean isPair = value.isArray() && value.size() == 2 && isRole(value.path(0));
    if (!value.isArray() || isPair) {
      all.add(message(value, channel.name()));
      return all;
    }
    int i = 0;
    for (var item : value) {
      var where = channel.name() + "[" + i++ + "]";
      var removed = MessageJson.removed(item, where);
      if (removed.isPresent() && removed.get().equals(MessageJson.ALL)) {
        all.clear();
        all.add(new Write.Overwrite<>(channel, value("[]", where)));
      } else {
        all.add(message(item, where));
      }
    }
    return all;
  }

  private static boolean isRole(JsonNode first) {
    return first.isString()
        && List.of("human", "user", "ai", "assistant", "system").contains(first.stringValue());
  }

  private Write message(JsonNode item, String where) {
    var removed = MessageJson.removed(item, where);
    if (removed.isEmpty()) {
      var message = Codec.of(Message.class).encode(MessageJson.read(item, where));
      return put(decoded(message, channel.writes(), where));
    }
    if (channel.reducer().hasKeys()) return new Write.Remove(channel, removed.get());
    throw PlacedFields.failure(
        where, "cannot be removed: the messages of this graph are only added");
  }

  private V value(String json, String where) {
    return decoded(Json.parse(json), channel.values(), where);
  }

  private Write put(W value) {
    return new Write.Put<>(channel, value);
  }

  private W write(JsonNode value, String where) {
    return decoded(Trees.json(value, where), channel.writes(), where);
  }

  /// Decodes what a client sent.
  public static <T> T decoded(Json json, Codec<T> codec, String where) {
    var excess = JsonLimit.exceeded(json);
    if (excess.isPresent()) throw PlacedFields.failure(where, "has " + excess.get());
    try {
      return codec.decode(json);
    } catch (RuntimeException | StackOverflowError e) {
      // The constructors of the program's own records judge it, too.
      throw PlacedFields.failure(where, "does not fit: " + e.getMessage());
    }
  }
}
