package dev.superstep.mcp.server.content;

import dev.superstep.message.Content;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A prompt that people choose in their client. Immutable.
///
/// ```java
/// ServedPrompt.of("review", "Reviews a change.", p -> List.of(user("Review " + p.get("file"))))
///     .argument("file", "Its path.", true)
/// ```
///
/// @param name for programs
/// @param description for people
/// @param arguments in order
/// @param writer makes the messages; arguments that were left out are missing
public record ServedPrompt(
    String name, String description, List<Argument> arguments, Writer writer) {
  public ServedPrompt {
    arguments = List.copyOf(arguments);
  }

  /// An argument.
  ///
  /// @param completion given what was typed, what it may become
  public record Argument(
      String name,
      String description,
      boolean isRequired,
      Function<String, List<String>> completion) {}

  /// A message.
  ///
  /// @param isOfUser whether the user says it, in place of the assistant
  public record Line(boolean isOfUser, Content content) {
    /// A text of the user.
    public static Line user(String text) {
      return new Line(true, new Content.Text(text));
    }
  }

  /// Writes the messages of a prompt.
  @FunctionalInterface
  public interface Writer {
    /// Writes them. An exception is told to the client as a failure without its message.
    List<Line> write(Map<String, String> arguments) throws Exception;
  }

  /// A prompt without arguments.
  public static ServedPrompt of(String name, String description, Writer writer) {
    return new ServedPrompt(name, description, List.of(), writer);
  }

  /// Returns a copy with one more argument.
  public ServedPrompt argument(String argument, String about, boolean isRequired) {
    return argument(new Argument(argument, about, isRequired, _ -> List.of()));
  }

  /// Returns a copy with one more argument.
  public ServedPrompt argument(Argument more) {
    var all = new ArrayList<>(arguments);
    all.add(more);
    return new ServedPrompt(name, description, all, writer);
  }
}
