package dev.superstep.rag.internal.run;

import dev.superstep.graph.Graph;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.message.Message;
import dev.superstep.node.Update;
import dev.superstep.rag.component.Mapping;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.value.BoundTypes;
import dev.superstep.rag.internal.value.JsonFields;
import dev.superstep.rag.internal.value.LiteralValues;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The parts of one graph that its nodes share while they are bound and while they run: the
/// channels, the registry, and the names that the graph may use. Immutable.
public record Scene(
    Blueprint blueprint,
    Map<String, Channel<?, ?>> channels,
    Registry registry,
    BoundTypes types,
    Allowed allowed,
    Meter meter) {
  private static final Pattern PLACE = Pattern.compile("\\{\\{|\\}\\}|\\{([^{}\\s]+)\\}");
  private static final String MESSAGES = "messages";

  /// A registered component, made for this graph if a factory makes it.
  public <T> T component(Kind<T> kind, String name) {
    return registry.instantiate(kind, name, "graph " + blueprint.graph());
  }

  @SuppressWarnings("unchecked") // what is written is decoded by the channel's own codec
  public Channel<Object, Object> channel(String name) {
    var channel = channels.get(name);
    if (channel == null) throw new IllegalArgumentException("there is no channel `" + name + "`");
    return (Channel<Object, Object>) channel;
  }

  /// The conversation of the graph, if it has one.
  @SuppressWarnings("unchecked") // a channel of this kind holds messages
  public Optional<Channel<List<Message>, Message>> messages() {
    return blueprint
        .channel(MESSAGES)
        .filter(channel -> channel.reducer().equals(MESSAGES))
        .map(channel -> (Channel<List<Message>, Message>) channels.get(MESSAGES));
  }

  /// The writes of nodes to channels of conventional names.
  public Conventions conventions() {
    return new Conventions(this);
  }

  /// The node of a target.
  public static String target(String name) {
    return name.equals(Edge.END) ? Graph.END : name;
  }

  /// The value of a channel as text; nothing if it has none.
  public String shown(State state, String name) {
    var channel = channel(name);
    return shown(channel, state.find(channel).orElse(null));
  }

  /// The text of a prompt with the values of channels in it.
  public String text(Value.Prompt prompt, State state) {
    var text = prompt.isTemplate() ? component(RagKind.TEMPLATE, prompt.text()) : prompt.text();
    return PLACE
        .matcher(text)
        .replaceAll(found -> {
          var name = found.group(1);
          if (name == null) return found.group().substring(1);
          var value = channels.containsKey(name) ? shown(state, name) : found.group();
          return Matcher.quoteReplacement(value);
        });
  }

  /// The input of the graph as text: a single field as it is, several as JSON.
  public String inputText(State state) {
    var fields = blueprint.input();
    if (fields.size() == 1) return shown(state, fields.getFirst().name());
    var values = new java.util.LinkedHashMap<String, Json>();
    for (var field : fields) {
      var channel = channel(field.name());
      state.find(channel).ifPresent(v -> values.put(field.name(), channel.values().encode(v)));
    }
    return values.isEmpty() ? "" : JsonFields.object(values).text();
  }

  /// The values of all channels that have one, without the conversation.
  public Json values(State state) {
    var values = new java.util.LinkedHashMap<String, Json>();
    for (var name : channels.keySet()) {
      if (name.equals(MESSAGES)) continue;
      var channel = channel(name);
      state.find(channel).ifPresent(v -> values.put(name, channel.values().encode(v)));
    }
    return JsonFields.object(values);
  }

  /// The writes of literals.
  public Update update(Map<String, Literal> values) {
    var update = new Update(List.of());
    for (var entry : values.entrySet()) {
      update = update.and(write(entry.getKey(), LiteralValues.json(entry.getValue())));
    }
    return update;
  }

  /// A write of JSON to a channel.
  public Update write(String name, Json value) {
    var channel = channel(name);
    return Update.of(channel, writes(name, channel).decode(value));
  }

  /// The codec of what is written to a channel. One that is never stored has none of its own.
  private Codec<Object> writes(String name, Channel<Object, Object> channel) {
    if (channel.isTracked()) return channel.writes();
    var type = blueprint.channel(name).flatMap(ChannelBlueprint::type).orElse(TypeName.JSON);
    return types.bound(type).codec();
  }

  /// A write of a result to a channel: as it is if the channel takes such values, else as JSON.
  public Update write(String name, Object value) {
    if (value instanceof Json json) return write(name, json);
    var channel = channel(name);
    if (value instanceof String && channel.writes().type().equals("String")) {
      return Update.of(channel, value);
    }
    if (value instanceof String text && channel.writes().type().equals("Message")) {
      return Update.of(channel, Message.assistant(text));
    }
    return write(name, Json.of(value));
  }

  /// The task or message that a mapping makes.
  public Object mapped(Mapping mapping, State state, @Nullable Object argument) {
    return argument == null ? mapping.of(state) : mapping.of(state, argument);
  }

  /// The value of a channel, as text for models and people.
  @SuppressWarnings("unchecked") // the codec is that of the value
  private static String shown(Channel<?, ?> channel, @Nullable Object value) {
    return switch (value) {
      case null -> "";
      case String text -> text;
      default ->
          channel.isTracked()
              ? JsonFields.plain(((Channel<Object, ?>) channel).values().encode(value))
              : JsonFields.shown(value);
    };
  }
}
