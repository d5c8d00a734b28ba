package dev.superstep.acp;

import dev.superstep.json.Json;
import dev.superstep.schema.Description;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A tool that runs commands in a terminal of the editor, where the person sees them.
///
/// ```java
/// Agent.named("coder").model(model).tools(EditorTerminal.tool(Duration.ofMinutes(5))).build();
/// ```
///
/// The editor runs the command with the permissions of the person, in no sandbox. So each call
/// needs an approval, whatever the gate of the agent says. A command whose time is over, or whose
/// turn is cancelled, is killed.
public final class EditorTerminal {
  /// The event by which the call of a terminal is known.
  static final String EVENT = "acp.terminal";

  static final String NAME = "run_in_terminal";
  private static final int OUTPUT_MAX = 30_000;
  private static final int WORDS_MAX = 1_000;
  private static final Duration SLACK = Duration.ofSeconds(60);

  private EditorTerminal() {}

  record Command(
      @Description("The program and its arguments, each by itself; there is no shell")
          List<String> command,
      @Description(
              "A folder below that of the session, such as src; that of the session unless given")
          Optional<String> folder) {
    Command {
      command = List.copyOf(command);
    }
  }

  /// A terminal that a call has made.
  record Begun(String call, String terminal) {}

  /// `run_in_terminal`. In runs without an editor, or with one that offers no terminals, each call
  /// is an error.
  ///
  /// @param most time of a command
  public static Tool tool(Duration most) {
    if (!most.isPositive()) {
      throw new IllegalArgumentException("most must be positive, was " + most);
    }
    return Tool.of(
            NAME,
            "Runs a command in a terminal of the editor, without a shell, and shows its output.",
            Command.class,
            (asked, context) -> run(asked, context, most))
        .withTimeout(most.plus(SLACK))
        .withPolicy(
            ToolPolicy.of(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE, SideEffect.NETWORK)
                .approved());
  }

  private static ToolResult run(Command asked, ToolContext context, Duration most)
      throws InterruptedException {
    var session = EditorSession.of(context.node());
    if (session.isEmpty() || !session.get().terminals().isOffered()) {
      return ToolResult.error("There is no editor that offers terminals. Do without commands.");
    }
    if (asked.command().isEmpty() || asked.command().size() > WORDS_MAX) {
      return ToolResult.error("The command must have 1 to %d words.".formatted(WORDS_MAX));
    }
    var folder = folder(session.get().folder(), asked.folder().orElse(""));
    try {
      var ended =
          session
              .get()
              .terminals()
              .run(
                  asked.command(),
                  folder,
                  new Terminals.Limits(OUTPUT_MAX, most),
                  id -> context.emit(EVENT, new Begun(context.callId(), id)));
      var text =
          ended.how()
              + (ended.output().isEmpty() ? "" : "\n" + ended.output())
              + (ended.isCut() ? "\n[cut off: it wrote more]" : "");
      return ended.isDone() ? ToolResult.of(text) : ToolResult.error(text);
    } catch (Connection.NotAnswered e) {
      return ToolResult.error("The command was not run to its end: " + e.why());
    }
  }

  /// A folder of the session, also by its real path.
  private static Path folder(Path root, String given) {
    try {
      var named = root.resolve(given).normalize();
      if (Files.isDirectory(named) && named.toRealPath().startsWith(root.toRealPath())) {
        return named;
      }
    } catch (InvalidPathException | IOException _) {
      // Told below.
    }
    throw new ToolError.PathEscape(given, "is not a folder of the session");
  }

  /// The terminal that an event tells of.
  static Begun begun(Json payload) {
    return payload.as(Begun.class);
  }
}
