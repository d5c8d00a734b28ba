package dev.superstep.cli.chat;

import dev.superstep.language.Suggestion;
import java.util.List;

/// A line that a person types in a conversation.
sealed interface ChatLine {
  /// The commands with what they do.
  List<List<String>> COMMANDS =
      List.of(
          List.of("/help", "shows this"),
          List.of("/threads", "lists conversations with this agent"),
          List.of("/new", "begins another conversation"),
          List.of("/history", "shows the messages so far"),
          List.of("/cost", "shows what was spent"),
          List.of("/retry", "goes on with a turn that failed or waits for an answer"),
          List.of("/exit", "leaves, as Ctrl-D does"));

  /// A message to the agent.
  record Say(String text) implements ChatLine {}

  record Help() implements ChatLine {}

  record ListThreads() implements ChatLine {}

  record Begin() implements ChatLine {}

  record History() implements ChatLine {}

  record Cost() implements ChatLine {}

  record Retry() implements ChatLine {}

  record Exit() implements ChatLine {}

  /// No command.
  record Unknown(String why) implements ChatLine {}

  /// Reads a line. Two slashes begin a message with one.
  static ChatLine of(String line) {
    var text = line.strip();
    if (text.startsWith("//")) return new Say(text.substring(1));
    if (!text.startsWith("/")) return new Say(text);
    return switch (text) {
      case "/help", "/?" -> new Help();
      case "/threads" -> new ListThreads();
      case "/new" -> new Begin();
      case "/history" -> new History();
      case "/cost" -> new Cost();
      case "/retry" -> new Retry();
      case "/exit", "/quit" -> new Exit();
      default -> unknown(text);
    };
  }

  private static Unknown unknown(String text) {
    var word = text.split("\\s", 2)[0];
    var names = COMMANDS.stream().map(List::getFirst).toList();
    var near = Suggestion.didYouMean(word, names);
    return new Unknown(
        "There is no command `%s`%s (A message may begin with `//`.)"
            .formatted(word, near.isEmpty() ? "; /help lists them." : "; " + near));
  }
}
