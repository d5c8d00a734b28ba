package dev.superstep.language.blueprint;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The channels that are known by their name: if a graph declares one by `channel`, its nodes use
/// it without further items.
public enum ConventionalChannel {
  MESSAGES("The conversation: models and agents continue it, and tool executors run its calls."),
  TOOL_CALLS("The calls that a `tool_executor` runs, in place of those of the conversation."),
  STRUCTURED_RESPONSE(
      "The answers of models and agents whose `answer` has another type than `text`."),
  METADATA(
      "What is known of a run when it begins: `graph`, `hash`, `text` (the `metadata` of the"
          + " graph), and `thread` and `run` (the metadata of the caller) if there are any. A graph"
          + " inside has it if it shares the channel."),
  ARTIFACTS(
      "What tools made beside their text for the model: objects with `node`, `tool`, `call`, and"
          + " `artifact` or `content` (pictures and files)."),
  CANDIDATES("Several replies to choose from. A model gives one reply, so no node writes it."),
  USAGE(
      "What models took: an object with `node`, `calls`, `input`, `output`, and `cost` where prices"
          + " are known, for each node that asked one. A `sum` counts the tokens."),
  INTERRUPTS(
      "What people were asked and answered: an object with `node`, `prompt`, `options` and `answer`"
          + " for each answer to a node of kind `interrupt` or `human`.");

  private static final Set<String> STANDARD =
      Set.of(
          "overwrite",
          "any",
          "ephemeral",
          "untracked",
          "topic",
          "append",
          "merge",
          "union",
          "sum",
          "min",
          "max",
          "messages",
          "token",
          "by_id",
          "barrier",
          "named_barrier",
          "aggregate",
          "folding",
          "delta");
  private static final List<String> LISTS = List.of("append", "by_id", "topic", "union");

  private final String meaning;

  ConventionalChannel(String meaning) {
    this.meaning = meaning;
  }

  /// The name of the channel.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// A sentence that says what it holds.
  public String meaning() {
    return meaning;
  }

  /// The standard reducers with which it holds that.
  public List<String> reducers() {
    return switch (this) {
      case MESSAGES -> List.of("messages");
      case TOOL_CALLS -> List.of("overwrite", "any", "ephemeral", "append", "topic", "union");
      case METADATA -> List.of("overwrite", "any", "untracked", "append", "topic");
      case USAGE ->
          List.of(
              "sum",
              "append",
              "topic",
              "overwrite",
              "any",
              "ephemeral",
              "untracked",
              "aggregate",
              "folding",
              "delta");
      case STRUCTURED_RESPONSE, ARTIFACTS, CANDIDATES, INTERRUPTS ->
          List.of(
              "append",
              "topic",
              "union",
              "by_id",
              "overwrite",
              "any",
              "ephemeral",
              "untracked",
              "aggregate",
              "folding",
              "delta");
    };
  }

  /// Returns whether it holds that with each registered reducer, too.
  public boolean takesRegistered() {
    return this != MESSAGES;
  }

  /// The convention of a name, if there is one.
  public static Optional<ConventionalChannel> of(String name) {
    return Arrays.stream(values()).filter(each -> each.word().equals(name)).findFirst();
  }

  /// The channel of a graph that holds what its nodes write by this convention, if it has one.
  public Optional<ChannelBlueprint> in(Blueprint graph) {
    return graph.channel(word()).filter(channel -> hasReducer(channel) && hasType(graph, channel));
  }

  /// Returns whether the reducer of a channel of this name can hold it.
  public boolean hasReducer(ChannelBlueprint channel) {
    if (reducers().contains(channel.reducer())) return true;
    return takesRegistered() && !STANDARD.contains(channel.reducer());
  }

  /// Returns whether the type of a channel of this name can hold it.
  public boolean hasType(Blueprint graph, ChannelBlueprint channel) {
    return switch (this) {
      case MESSAGES, TOOL_CALLS, CANDIDATES -> true;
      case METADATA, ARTIFACTS, USAGE, INTERRUPTS ->
          channel.reducer().equals("sum")
              || !STANDARD.contains(channel.reducer())
              || type(graph, channel).equals(TypeName.JSON);
      case STRUCTURED_RESPONSE ->
          graph.nodes().stream()
              .flatMap(node -> written(node).stream())
              .allMatch(type -> holds(graph, channel, type));
    };
  }

  /// Returns whether a channel takes answers of a type.
  private static boolean holds(Blueprint graph, ChannelBlueprint channel, TypeName answer) {
    if (!STANDARD.contains(channel.reducer())) return true;
    var type = type(graph, channel);
    return type.equals(TypeName.JSON) || type.equals(answer);
  }

  /// The type of the answers that a node writes to `structured_response`, if it does.
  public static Optional<TypeName> written(NodeBlueprint node) {
    if (!node.kind().isModelled()) return Optional.empty();
    boolean isNamed = node.into().filter(STRUCTURED_RESPONSE.word()::equals).isPresent();
    return isNamed ? Optional.empty() : node.answer().filter(type -> !type.equals(TypeName.TEXT));
  }

  /// The type of what is written to a channel.
  private static TypeName type(Blueprint graph, ChannelBlueprint channel) {
    if (channel.type().isPresent()) return channel.type().get();
    for (var fields : List.of(graph.input(), graph.output())) {
      for (var field : fields) {
        if (!field.name().equals(channel.name())) continue;
        boolean isList = LISTS.contains(channel.reducer());
        return isList ? field.type().element().orElse(field.type()) : field.type();
      }
    }
    return TypeName.JSON;
  }
}
