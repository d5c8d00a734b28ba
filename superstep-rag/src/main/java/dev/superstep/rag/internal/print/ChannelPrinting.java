package dev.superstep.rag.internal.print;

import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.rag.component.RagKind;
import dev.superstep.rag.internal.value.RegisteredObjects;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes lines of channels that were made in Java.
///
/// @param missing told of what has no name
public record ChannelPrinting(RegisteredObjects names, Consumer<String> missing) {
  /// The line of a channel; empty if there is none that says what it is.
  public Optional<ChannelBlueprint> of(Channel<?, ?> channel) {
    return switch (channel.kind()) {
      case "latest" -> typed(channel, "overwrite", names.type(channel.values()));
      case "any", "ephemeral", "token", "min", "max" ->
          typed(channel, channel.kind(), names.type(channel.values()));
      case "append", "topic", "union" ->
          typed(channel, channel.kind(), names.type(channel.writes()));
      case "sum" -> line(channel, "sum", List.of(), Optional.empty());
      case "merge" -> typed(channel, "merge", merged(channel));
      case "gather" -> {
        var enough = Long.parseLong(channel.awaited().getFirst());
        yield names
            .type(channel.writes())
            .flatMap(
                type -> line(channel, "barrier", List.of(Literal.of(enough)), Optional.of(type)))
            .or(() -> unknown(channel));
      }
      case "barrier" ->
          line(
              channel,
              "named_barrier",
              channel.awaited().stream().map(Literal::of).toList(),
              Optional.empty());
      case "by-id" ->
          channel.writes().type().equals("Message")
              ? line(channel, "messages", List.of(), Optional.empty())
              : byId(channel);
      case "untracked" -> untracked(channel);
      case "reduce" -> reduced(channel, "aggregate");
      case "folding", "delta" -> reduced(channel, channel.kind());
      default -> {
        missing.accept(
            "channel `%s` drops items in a way that has no name".formatted(channel.name()));
        yield Optional.empty();
      }
    };
  }

  private Optional<TypeName> merged(Channel<?, ?> channel) {
    var type = channel.values().type();
    var element = type.substring("map<".length(), type.length() - 1);
    return names.type(element, channel.values().shape());
  }

  private Optional<ChannelBlueprint> byId(Channel<?, ?> channel) {
    if (names.name(RagKind.CHANNEL, channel).isEmpty()) {
      missing.accept(
          "channel `%s` finds ids by a function, so register the channel"
              .formatted(channel.name()));
      return Optional.empty();
    }
    // The registered channel takes the place of what this line would make.
    return names
        .type(channel.writes())
        .flatMap(type -> line(channel, "by_id", List.of(Literal.of("id")), Optional.of(type)))
        .or(() -> unknown(channel));
  }

  private Optional<ChannelBlueprint> untracked(Channel<?, ?> channel) {
    if (names.name(RagKind.CHANNEL, channel).isEmpty()) {
      missing.accept(
          "channel `%s` holds values that are never stored, so register the channel"
              .formatted(channel.name()));
    }
    return line(channel, "untracked", List.of(), Optional.empty());
  }

  private Optional<ChannelBlueprint> reduced(Channel<?, ?> channel, String word) {
    var reducer = names.reducer(channel.reducer());
    if (reducer.isEmpty()) {
      missing.accept("the reducer of channel `%s` is not registered".formatted(channel.name()));
      return Optional.empty();
    }
    return names
        .type(channel.values())
        .flatMap(type -> line(channel, word, List.of(Literal.of(reducer.get())), Optional.of(type)))
        .or(() -> unknown(channel));
  }

  private Optional<ChannelBlueprint> typed(
      Channel<?, ?> channel, String reducer, Optional<TypeName> type) {
    return type.isEmpty() ? unknown(channel) : line(channel, reducer, List.of(), type);
  }

  private Optional<ChannelBlueprint> unknown(Channel<?, ?> channel) {
    missing.accept(
        "the type of channel `%s` is not registered: %s"
            .formatted(channel.name(), channel.values().type()));
    return Optional.empty();
  }

  private static Optional<ChannelBlueprint> line(
      Channel<?, ?> channel, String reducer, List<Literal> arguments, Optional<TypeName> type) {
    return Optional.of(new ChannelBlueprint(channel.name(), reducer, arguments, type, List.of()));
  }
}
