package dev.superstep.mcp.server.content;

import dev.superstep.message.Content;
import dev.superstep.node.Question;
import dev.superstep.tool.ToolContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
/// @param asking makes them in place of the writer, and may ask the user of the client
/// @param questions that it may ask
public record ServedPrompt(
    String name,
    String description,
    List<Argument> arguments,
    Writer writer,
    Optional<AskingWriter> asking,
    List<Question<?, ?>> questions) {
  public ServedPrompt {
    arguments = List.copyOf(arguments);
    questions = List.copyOf(questions);
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

  /// Writes the messages of a prompt, and may ask for what it needs.
  @FunctionalInterface
  public interface AskingWriter {
    /// Writes them. It runs again from its beginning when an answer is there.
    ///
    /// @param context by which it asks
    List<Line> write(Map<String, String> arguments, ToolContext context) throws Exception;
  }

  /// A prompt without arguments that asks the user of the client.
  ///
  /// @param questions that the writer may ask
  public static ServedPrompt asking(
      String name, String description, AskingWriter writer, Question<?, ?>... questions) {
    Writer none = _ -> List.of();
    return new ServedPrompt(
        name, description, List.of(), none, Optional.of(writer), List.of(questions));
  }

  /// A prompt without arguments.
  public static ServedPrompt of(String name, String description, Writer writer) {
    return new ServedPrompt(name, description, List.of(), writer, Optional.empty(), List.of());
  }

  /// Returns a copy with one more argument.
  public ServedPrompt argument(String argument, String about, boolean isRequired) {
    return argument(new Argument(argument, about, isRequired, _ -> List.of()));
  }

  /// Returns a copy with one more argument.
  public ServedPrompt argument(Argument more) {
    var all = new ArrayList<>(arguments);
    all.add(more);
    return new ServedPrompt(name, description, all, writer, asking, questions);
  }
}
