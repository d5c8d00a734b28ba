package dev.superstep.workspace;

import dev.superstep.schema.Description;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.ToolResult;
import dev.superstep.tool.Tools;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Tools that work in a [Workspace]. A forbidden operation is an error that the model sees, a
/// [WorkspaceEvent.Violated] for its listener, and a `workspace.violation` in the events of the
/// run.
///
/// The tools declare their side effects by their [ToolPolicy]; the agent's gate decides whether a
/// person must approve a call:
///
/// ```java
/// Agent.named("clerk")
///     .tools(WorkspaceTools.of(workspace))
///     .gate(ToolGate.open().confirming(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE))
/// ```
public final class WorkspaceTools {
  /// Beyond the workspace's own limits, so that those end a call, and say so.
  private static final Duration SLACK = Duration.ofSeconds(10);

  private static final int CHARACTERS_EACH_MAX = 4;

  private WorkspaceTools() {}

  record ReadFile(
      @Description("From the workspace, such as notes/today.md") String path,
      @Description("The first line to show, from 1; 1 unless given") Optional<Integer> firstLine,
      @Description("How many lines to show; all unless given") Optional<Integer> lines) {}

  record WriteFile(
      @Description("From the workspace, such as notes/today.md") String path,
      @Description("The whole text of the file") String text) {}

  record ListFiles(
      @Description("A directory; the whole workspace unless given") Optional<String> path,
      @Description("How many levels to show; 1 for the directory alone") Optional<Integer> depth) {}

  record RunCommand(
      @Description("The program and its arguments, each a word of its own") List<String> command) {
    RunCommand {
      command = List.copyOf(command);
    }
  }

  record FetchUrl(@Description("Such as https://example.org/page") String url) {}

  /// All that are of use: those for files, for commands if the workspace allows any, and for
  /// fetches if it allows any host.
  public static Tools of(Workspace workspace) {
    var tools = new ArrayList<Tool>();
    tools.add(readFile(workspace));
    tools.add(writeFile(workspace));
    tools.add(listFiles(workspace));
    if (!workspace.allowedCommands().isEmpty()) tools.add(runCommand(workspace));
    if (!workspace.allowedHosts().isEmpty()) tools.add(fetchUrl(workspace));
    return Tools.of(tools);
  }

  /// `read_file`: shows a file, or some of its lines.
  public static Tool readFile(Workspace workspace) {
    return Tool.of(
            "read_file",
            "Shows a text file of the workspace, or some of its lines.",
            ReadFile.class,
            (asked, context) -> read(asked, workspace.usedBy(context)))
        .withPolicy(ToolPolicy.readOnly());
  }

  private static ToolResult read(ReadFile asked, Workspace workspace) {
    int first = asked.firstLine().orElse(1);
    int count = asked.lines().orElse(Integer.MAX_VALUE);
    if (first < 1 || count < 1) {
      throw new ToolError.Other(asked.path(), "Lines are counted from 1. Ask for at least one.");
    }
    var read = workspace.bytes(asked.path());
    int size = read.bytes().remaining();
    var text = Workspace.text(asked.path(), read.isCut() ? whole(read.bytes()) : read.bytes());
    var shown = first == 1 && count == Integer.MAX_VALUE ? text : lines(text, first, count);
    return ToolResult.of(
        read.isCut()
            ? shown + "\n[cut off: only the first %d bytes can be read]".formatted(size)
            : shown);
  }

  /// Without a character at the end that was cut in two.
  private static ByteBuffer whole(ByteBuffer cut) {
    int end = cut.limit();
    int most = Math.min(end, CHARACTERS_EACH_MAX);
    for (int back = 1; back <= most; back++) {
      int b = cut.get(end - back) & 0xff;
      if (b < 0x80) return cut; // a character of one byte, and whatever follows is not text
      if (b < 0xc0) continue; // the middle of one
      int length = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
      return length > back ? cut.limit(end - back) : cut;
    }
    return cut;
  }

  private static String lines(String text, int first, int count) {
    var all = text.lines().toList();
    if (first > all.size()) return "[the file has %d lines]".formatted(all.size());
    int last = (int) Math.min(all.size(), first - 1L + count);
    var shown = String.join("\n", all.subList(first - 1, last));
    return last == all.size()
        ? shown
        : shown + "\n[lines %d to %d of %d]".formatted(first, last, all.size());
  }

  /// `write_file`: writes a file, in place of the one before.
  public static Tool writeFile(Workspace workspace) {
    return Tool.of(
            "write_file",
            "Writes a text file in the workspace, in place of the one before.",
            WriteFile.class,
            (asked, context) -> {
              var isNew = workspace.usedBy(context).write(asked.path(), asked.text());
              return (isNew ? "Made " : "Replaced ") + asked.path() + ".";
            })
        .withPolicy(ToolPolicy.of(SideEffect.WRITES_FILES).idempotent());
  }

  /// `list_files`: shows what is in a directory.
  public static Tool listFiles(Workspace workspace) {
    return Tool.of(
            "list_files",
            "Lists the files of the workspace.",
            ListFiles.class,
            (asked, context) -> list(asked, workspace.usedBy(context)))
        .withPolicy(ToolPolicy.readOnly());
  }

  private static String list(ListFiles asked, Workspace workspace) {
    var path = asked.path().orElse("");
    int depth = asked.depth().orElse(workspace.limits().depth());
    if (depth < 1) throw new ToolError.Other(path, "The depth is at least 1. Ask for more.");
    var listing = workspace.list(path, depth);
    if (listing.entries().isEmpty()) return "[nothing is there]";
    var text = new StringBuilder();
    for (var entry : listing.entries()) {
      switch (entry.kind()) {
        case FILE -> text.append("%s (%s)%n".formatted(entry.path(), size(entry.bytes())));
        case DIRECTORY -> text.append("%s/%n".formatted(entry.path()));
        case LINK -> text.append("%s (a link)%n".formatted(entry.path()));
        case OTHER -> text.append("%s (no regular file)%n".formatted(entry.path()));
      }
    }
    if (listing.isCut()) {
      text.append("[cut off: only %d entries are shown]".formatted(listing.entries().size()));
    }
    if (listing.isDeeper()) {
      text.append(text.toString().endsWith("]") ? "\n" : "");
      int levels = Math.min(depth, workspace.limits().depth());
      text.append("[cut off: there is more below level %d; list a directory]".formatted(levels));
    }
    return text.toString().replace("\r\n", "\n").stripTrailing();
  }

  private static String size(long bytes) {
    return bytes == 1 ? "1 byte" : bytes + " bytes";
  }

  /// `run_command`: runs a command that the workspace allows.
  public static Tool runCommand(Workspace workspace) {
    var allowed = String.join(", ", workspace.allowedCommands());
    return Tool.of(
            "run_command",
            "Runs a command in the workspace, without a shell. Allowed: " + allowed + ".",
            RunCommand.class,
            (asked, context) -> toolResult(workspace.usedBy(context).run(asked.command())))
        .withTimeout(workspace.limits().commandTime().plus(SLACK))
        .withPolicy(
            ToolPolicy.of(SideEffect.WRITES_FILES, SideEffect.DESTRUCTIVE, SideEffect.NETWORK));
  }

  private static ToolResult toolResult(CommandResult result) {
    var text = new StringBuilder();
    switch (result.ended()) {
      case CommandResult.Ended.Exited(var code) -> text.append("exit code ").append(code);
      case CommandResult.Ended.TimedOut(var after) ->
          text.append("killed after ").append(after.toMillis() / 1000.0).append(" s");
    }
    appendOutput("stdout", result.out(), text);
    appendOutput("stderr", result.err(), text);
    if (result.strays() > 0) {
      text.append("\n[%d processes that it left running were killed]".formatted(result.strays()));
    }
    return switch (result.ended()) {
      case CommandResult.Ended.Exited _ -> ToolResult.of(text.toString());
      case CommandResult.Ended.TimedOut _ -> ToolResult.error(text.toString());
    };
  }

  private static void appendOutput(String name, CommandResult.Output output, StringBuilder into) {
    if (output.text().isEmpty()) return;
    into.append('\n').append(name).append(":\n").append(output.text().stripTrailing());
    if (output.isCut()) into.append("\n[cut off: it wrote more]");
  }

  /// `fetch_url`: fetches a text from a host that the workspace allows.
  public static Tool fetchUrl(Workspace workspace) {
    var allowed = String.join(", ", workspace.allowedHosts());
    return Tool.of(
            "fetch_url",
            "Fetches a text from the web. Allowed hosts: " + allowed + ".",
            FetchUrl.class,
            (asked, context) -> fetch(asked.url(), workspace.usedBy(context)))
        .withTimeout(workspace.limits().fetchTime().plus(SLACK))
        .withPolicy(ToolPolicy.of(SideEffect.NETWORK).idempotent());
  }

  private static String fetch(String url, Workspace workspace) throws InterruptedException {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException _) {
      throw new ToolError.Other(url, "It is no address. Write `https://host/path`.");
    }
    var fetched = workspace.fetch(uri);
    return fetched.isCut() ? fetched.text() + "\n[cut off: there is more]" : fetched.text();
  }
}
