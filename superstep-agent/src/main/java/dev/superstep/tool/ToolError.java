package dev.superstep.tool;

import dev.superstep.json.SuperstepException;
import dev.superstep.message.ToolCall;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// An error of a tool or of a call. Each message is fit for a model: when a tool throws such an
/// error, its message is the answer, so that the model may correct its call. Only a [Missing] value
/// fails the run, as no model can repair it. A program that uses a
/// `dev.superstep.workspace.Workspace` by itself catches these errors.
///
/// How a tool ends an agent's work ([ToolResult#asFinal]) or waits for a person ([ToolContext#ask])
/// is no error, and nothing that a program could catch by mistake.
public abstract sealed class ToolError extends SuperstepException {
  private static final int SHOWN_MAX = 200;

  private ToolError(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  /// A file, a directory or a program could not be used.
  public static final class Io extends ToolError {
    private final String path;

    /// @param action what was tried, such as `read`
    /// @param path as the caller named it
    public Io(String action, String path, IOException cause) {
      super("tool.io", "Cannot %s `%s`: %s".formatted(action, quote(path), reason(cause)), cause);
      this.path = path;
    }

    /// The path that could not be used, as the caller named it.
    public String path() {
      return path;
    }

    /// Without the paths that such exceptions have: they are those of the machine.
    private static String reason(IOException cause) {
      return switch (cause) {
        case NoSuchFileException _ -> "it does not exist. List the directory to see what does.";
        case AccessDeniedException _ -> "the system does not permit it. Use another path.";
        case NotDirectoryException _ -> "a part of it is not a directory. Use another path.";
        case FileAlreadyExistsException _ -> "it exists already. Use another path.";
        case FileSystemException e when e.getReason() != null ->
            small(e.getReason()) + ". Use another path, or try again.";
        case FileSystemException e ->
            e.getClass().getSimpleName() + ". Use another path, or try again.";
        default -> small("" + cause.getMessage()) + ". Try again, or do without it.";
      };
    }

    private static String small(String sentence) {
      return sentence.isEmpty()
          ? sentence
          : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
  }

  /// A result of a tool that cannot be written as JSON. It is a mistake in the tool. The model is
  /// told that there is no result; the effects of the tool remain.
  public static final class Serialize extends ToolError {
    private final String tool;
    private final String type;

    Serialize(String tool, Class<?> type, RuntimeException cause) {
      super(
          "tool.serialize",
          "Tool `%s` did its work, but its result cannot be written as JSON: %s Let it return a"
                  .formatted(tool, cause.getMessage())
              + " record, a String or a ToolResult.",
          cause);
      this.tool = tool;
      this.type = type.getName();
    }

    /// The tool.
    public String tool() {
      return tool;
    }

    /// The class of the result.
    public String type() {
      return type;
    }
  }

  /// A model called a tool with arguments that it does not take, and the policy is to fail:
  /// [OnBadArguments#FAIL].
  public static final class Deserialize extends ToolError {
    private final String tool;
    private final String callId;

    Deserialize(ToolCall call, String why) {
      super("tool.deserialize", in(call) + why, null);
      this.tool = call.tool();
      this.callId = call.id();
    }

    /// The tool.
    public String tool() {
      return tool;
    }

    /// The id that the model gave the call.
    public String callId() {
      return callId;
    }
  }

  /// A model called a tool that does not exist, and the policy is to fail: [OnUnknownTool.Fail].
  public static final class UnknownTool extends ToolError {
    private final String tool;
    private final String callId;

    UnknownTool(ToolCall call, String why) {
      super("tool.unknown", in(call) + why, null);
      this.tool = call.tool();
      this.callId = call.id();
    }

    /// The name that the model used.
    public String tool() {
      return tool;
    }

    /// The id that the model gave the call.
    public String callId() {
      return callId;
    }
  }

  /// A path leads out of the workspace, or to where it may not be used so.
  public static final class PathEscape extends ToolError {
    private final String path;

    /// @param path as the caller named it
    /// @param why a part of a sentence after "path"
    public PathEscape(String path, String why) {
      super(
          "tool.path-escape",
          "Path `%s` %s. Name a path below the workspace, such as `notes/today.md`."
              .formatted(quote(path), why),
          null);
      this.path = path;
    }

    /// The path, as the caller named it.
    public String path() {
      return path;
    }
  }

  /// A command that the workspace does not allow.
  public static final class ForbiddenCommand extends ToolError {
    private final String command;
    private final transient List<String> allowed;

    /// @param why a part of a sentence after "command"
    /// @param allowed what may be run
    public ForbiddenCommand(String command, String why, List<String> allowed) {
      super(
          "tool.forbidden-command",
          "Command `%s` %s. %s"
              .formatted(
                  quote(command),
                  why,
                  allowed.isEmpty()
                      ? "No command is allowed here; do without."
                      : "Allowed: " + String.join(", ", allowed) + "."),
          null);
      this.command = command;
      this.allowed = List.copyOf(allowed);
    }

    /// Its words with spaces between them.
    public String command() {
      return command;
    }

    /// The allowed commands.
    public List<String> allowed() {
      return allowed;
    }
  }

  /// Something could not be fetched: the host is not allowed, does not answer, or refused.
  public static final class Http extends ToolError {
    private final String uri;
    private final int status;

    /// Without an answer.
    ///
    /// @param why what happened and what to do, as sentences
    public Http(URI uri, String why, @Nullable Throwable cause) {
      this(uri, 0, why, cause);
    }

    /// After an answer.
    ///
    /// @param why what happened and what to do, as sentences
    public Http(URI uri, int status, String why) {
      this(uri, status, why, null);
    }

    private Http(URI uri, int status, String why, @Nullable Throwable cause) {
      super("tool.http", "Cannot fetch `%s`: %s".formatted(quote(bare(uri)), why), cause);
      this.uri = bare(uri);
      this.status = status;
    }

    /// The address, without its query and without what may be a password.
    public String uri() {
      return uri;
    }

    /// The status that the server answered; empty if it did not.
    public OptionalInt status() {
      return status == 0 ? OptionalInt.empty() : OptionalInt.of(status);
    }

    private static String bare(URI uri) {
      var text = uri.toString();
      int query = text.indexOf('?');
      var before = query < 0 ? text : text.substring(0, query);
      return before.replaceFirst("//[^/@]*@", "//").replaceFirst("#.*", "");
    }
  }

  /// A tool asked its context for a value that the program did not inject. The model cannot repair
  /// this, so it fails the run.
  public static final class Missing extends ToolError {
    private final String tool;
    private final String type;

    Missing(String tool, Class<?> type, List<String> known) {
      super(
          "tool.missing",
          "Tool `%s` asks for a %s, which was not injected. Injected: %s. Add it with Injected.and."
              .formatted(
                  tool, type.getSimpleName(), known.isEmpty() ? "none" : String.join(", ", known)),
          null);
      this.tool = tool;
      this.type = type.getName();
    }

    /// The tool that asked.
    public String tool() {
      return tool;
    }

    /// The class that it asked for.
    public String type() {
      return type;
    }
  }

  /// Whatever else keeps a tool from its work, such as a file that is not text or that is too
  /// large. For tools of your own as well.
  public static final class Other extends ToolError {
    private final String subject;

    /// @param subject what it is about, such as a path
    /// @param why what is wrong and what to do, as sentences
    public Other(String subject, String why) {
      super("tool.other", "`%s`: %s".formatted(quote(subject), why), null);
      this.subject = subject;
    }

    /// The subject of the error.
    public String subject() {
      return subject;
    }
  }

  private static String in(ToolCall call) {
    return "Call `" + quote(call.id()) + "` of tool `" + quote(call.tool()) + "`: ";
  }

  /// Text of a model as it may be quoted, also to that model: its beginning with a note of how much
  /// is left out, and without what moves a cursor or turns text around.
  public static String quote(String given) {
    var shown = new StringBuilder();
    given
        .codePoints()
        .limit(SHOWN_MAX)
        .forEach(c -> {
          if (isPlain(c)) shown.appendCodePoint(c);
          else shown.append("\\u%04x".formatted(c));
        });
    int more = given.codePointCount(0, given.length()) - SHOWN_MAX;
    return more > 0 ? shown + "... [%d characters more]".formatted(more) : shown.toString();
  }

  private static boolean isPlain(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
