package dev.superstep.cli.mcp;

import dev.superstep.cli.host.ApprovalNeeded;
import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Table;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.mcp.McpConnection;
import dev.superstep.mcp.McpPrompt;
import dev.superstep.mcp.McpResource;
import dev.superstep.mcp.McpTool;
import dev.superstep.mcp.McpToolChange;
import dev.superstep.mcp.config.McpGrants;
import dev.superstep.message.Content;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The work of the commands that speak with servers: `superstep mcp tools`, `call`, `resources`,
/// `read` and `prompts`. Nothing that a server says is trusted, so its texts are made harmless for
/// the terminal. Closing it ends the servers.
public final class OffersRun implements AutoCloseable {
  private static final int ABOUT = 300;

  private final Host host;
  private final Path folder;
  private final FolderServers found;
  private final ServerConfirmation confirmation;
  private final boolean json;
  private final List<McpConnection> open = new ArrayList<>();

  private OffersRun(Host host, String folder, boolean json) {
    this.host = host;
    this.folder = host.path(folder);
    this.json = json;
    this.found = FolderServers.of(host, this.folder);
    this.confirmation = ServerConfirmation.of(host, found.root());
  }

  /// Makes one for the servers for a folder.
  ///
  /// @param json whether lines of JSON are printed; then nobody is asked
  public static OffersRun of(Host host, String folder, boolean json) {
    return new OffersRun(host, folder, json);
  }

  private record ToolLine(
      String tool, String server, String name, String policy, String state, String description) {}

  private record ResourceLine(
      String server, String uri, String name, String mediaType, boolean template) {}

  private record PromptLine(
      String server, String prompt, List<String> arguments, String description) {}

  private record ResultLine(String tool, boolean error, String text, Optional<Json> artifact) {}

  // --- Tools ---

  /// Lists the tools of a server, or of all.
  ///
  /// @return the exit code
  public int tools(Optional<String> server) throws InterruptedException {
    var lines = new ArrayList<ToolLine>();
    for (var one : chosen(server)) {
      var connection = connected(one);
      boolean isFirst = !confirmation.pins(one).knows(one.name());
      var changes =
          connection.changes().stream()
              .collect(Collectors.toMap(McpToolChange::tool, change -> change));
      var named = connection.named();
      for (var tool : connection.tools()) {
        var told = named.get(tool.name());
        if (told != null)
          lines.add(line(one, tool, told, isFirst ? null : changes.get(told.name())));
      }
      connection.skipped().forEach(why -> complain(one.name() + " leaves out " + why));
    }
    if (json) {
      lines.forEach(line -> print(Json.of(line).text()));
      return ExitCodes.COMPLETED;
    }
    var table =
        Table.of(
            Column.whole("TOOL"),
            Column.whole("POLICY"),
            Column.whole("STATE"),
            Column.wrap("DESCRIPTION", 16));
    for (var line : lines) table.row(line.tool(), line.policy(), line.state(), line.description());
    table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  private static ToolLine line(
      FolderServer one,
      Tool tool,
      McpTool told,
      @org.jspecify.annotations.Nullable McpToolChange change) {
    var state = change == null ? "approved" : change.approved().isEmpty() ? "added" : "changed";
    // A model sees what was approved, and so does the list.
    return new ToolLine(
        tool.name(),
        one.name(),
        told.name(),
        McpGrants.words(tool.policy()),
        state,
        cut(tool.spec().description()));
  }

  /// Shows a tool that is not as it was approved, and approves it if the person agrees.
  ///
  /// @param tool by the name that models see
  /// @param yes whether the command line agrees
  /// @return the exit code
  public int approve(String tool, boolean yes) throws InterruptedException {
    var meant = meant(tool);
    var change = change(meant);
    if (change.isEmpty()) {
      say("tool " + tool + " is as it was approved");
      return ExitCodes.COMPLETED;
    }
    show(change.get());
    if (!new Confirmation(host.terminal(), yes).confirmed("Approve this tool as it is now?")) {
      say("not approved");
      return ExitCodes.COMPLETED;
    }
    boolean isThere = meant.connection().approve(meant.tool().name());
    say(isThere ? "approved" : "the server does not offer it any more");
    return ExitCodes.COMPLETED;
  }

  /// Calls a tool.
  ///
  /// @param tool by the name that models see
  /// @param arguments an object of JSON
  /// @return the exit code: [ExitCodes#FAILED] if the tool says that it failed
  public int call(String tool, String arguments) throws InterruptedException {
    var given = arguments(arguments);
    var meant = meant(tool);
    // Its first contact approves the tools of a server.
    var _ = meant.connection().tools();
    var change = change(meant);
    if (change.isPresent()) {
      show(change.get());
      throw new ApprovalNeeded(
          "mcp.tool-changed",
          "Tool `%s` is not as it was approved, so it was not called. Approve it as it is now: %s mcp tools %s --approve %s"
              .formatted(tool, host.command(), ShellText.word(folder.toString()), tool));
    }
    var result = meant.connection().call(meant.tool().name(), given);
    if (json) {
      var line = new ResultLine(tool, result.error(), result.text(), result.artifact());
      print(Json.of(line).text());
    } else {
      result.content().forEach(part -> print(text(part)));
    }
    return result.error() ? ExitCodes.FAILED : ExitCodes.COMPLETED;
  }

  private static Json arguments(String text) {
    try {
      var json = Json.parse(text);
      if (json.text().startsWith("{")) return json;
    } catch (MalformedJson _) {
      // As below.
    }
    throw new UsageError(
        "usage", "--arguments must be an object of JSON, such as '{\"path\": \"a.txt\"}'.");
  }

  /// A tool that a command means.
  private record Meant(FolderServer server, McpConnection connection, McpTool tool) {}

  private Meant meant(String name) throws InterruptedException {
    var known = new ArrayList<String>();
    for (var one : found.having(Set.of(name))) {
      var connection = connected(one);
      var tool = connection.named().get(name);
      if (tool != null) return new Meant(one, connection, tool);
      known.addAll(connection.named().keySet());
    }
    throw new UsageError(
        "mcp.unknown-tool",
        "No MCP server of %s has a tool `%s`. %s"
            .formatted(
                found.root(),
                SafeText.line(name),
                known.isEmpty()
                    ? "The names of tools begin with that of their server; see: "
                        + host.command()
                        + " mcp tools "
                        + ShellText.word(folder.toString())
                    : "It has: " + String.join(", ", known) + "."));
  }

  private Optional<McpToolChange> change(Meant meant) throws InterruptedException {
    if (!confirmation.pins(meant.server()).knows(meant.server().name())) return Optional.empty();
    return meant.connection().changes().stream()
        .filter(one -> one.tool().equals(meant.tool().name()))
        .findFirst();
  }

  private void show(McpToolChange change) {
    // With --json, standard output has lines of JSON only.
    var out = json ? host.terminal().err() : host.terminal().out();
    out.println(change.approved().isEmpty() ? "It was added. It says now:" : "Approved was:");
    change
        .approved()
        .ifPresent(was -> {
          out.println(ForeignText.framed(was.text()));
          out.println("It says now:");
        });
    out.println(ForeignText.framed(change.offered().text()));
    out.flush();
  }

  // --- Resources and prompts ---

  /// Lists the resources of a server, or of all, with their templates.
  ///
  /// @return the exit code
  public int resources(Optional<String> server) throws InterruptedException {
    var table =
        Table.of(Column.whole("SERVER"), Column.wrap("URI", 16), Column.wrap("DESCRIPTION", 12));
    for (var one : chosen(server)) {
      var connection = connected(one);
      var all = new ArrayList<McpResource>(connection.resources());
      all.addAll(connection.resourceTemplates());
      for (var each : all) {
        if (json) {
          print(
              Json.of(
                      new ResourceLine(
                          one.name(), each.uri(), each.name(), each.mediaType(), each.isTemplate()))
                  .text());
        }
        var about = each.description().isBlank() ? each.name() : each.description();
        table.row(one.name(), each.uri(), cut(about));
      }
    }
    if (!json) table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  /// Reads a resource.
  ///
  /// @return the exit code
  public int read(String server, String uri) throws InterruptedException {
    for (var part : connected(found.named(server)).read(uri)) print(text(part));
    return ExitCodes.COMPLETED;
  }

  /// Lists the prompts of a server, or of all.
  ///
  /// @return the exit code
  public int prompts(Optional<String> server) throws InterruptedException {
    var table =
        Table.of(
            Column.whole("SERVER"),
            Column.whole("PROMPT"),
            Column.wrap("ARGUMENTS", 10),
            Column.wrap("DESCRIPTION", 12));
    for (var one : chosen(server)) {
      for (var each : connected(one).prompts()) {
        var arguments =
            each.arguments().stream()
                .map(argument -> argument.name() + (argument.isRequired() ? "" : "?"))
                .toList();
        if (json) {
          var line = new PromptLine(one.name(), each.name(), arguments, each.description());
          print(Json.of(line).text());
        }
        table.row(one.name(), each.name(), String.join(", ", arguments), cut(each.description()));
      }
    }
    if (!json) table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  /// Prints the messages of a prompt.
  ///
  /// @param pairs arguments as `NAME=VALUE`
  /// @return the exit code
  public int prompt(String server, String name, List<String> pairs) throws InterruptedException {
    var arguments = new TreeMap<String, String>();
    for (var pair : pairs) {
      int at = pair.indexOf('=');
      if (at < 1) throw new UsageError("usage", "--argument must be NAME=VALUE, was " + pair + ".");
      arguments.put(pair.substring(0, at), pair.substring(at + 1));
    }
    for (var line : connected(found.named(server)).prompt(name, Map.copyOf(arguments))) {
      print(role(line) + ": " + text(line.content()));
    }
    return ExitCodes.COMPLETED;
  }

  private static String role(McpPrompt.Line line) {
    return line.isOfUser() ? "user" : "assistant";
  }

  // --- Servers ---

  private List<FolderServer> chosen(Optional<String> server) {
    found.unusable().forEach(this::complain);
    return server.map(name -> List.of(found.named(name))).orElseGet(found::used);
  }

  private McpConnection connected(FolderServer one) throws InterruptedException {
    boolean asks = host.terminal().asks() && !json;
    if (!confirmation.isConfirmed(one) && !(asks && confirmation.isAgreed(one))) {
      throw confirmation.needed(one);
    }
    var connection = FolderTools.server(one, confirmation, host, asks).connect();
    open.add(connection);
    return connection;
  }

  private static String text(Content part) {
    return switch (part) {
      case Content.Text text -> text.text();
      case Content.Data data -> data.json().text();
      case Content.Image image -> "[a picture, " + image.mediaType() + "]";
      case Content.File file -> "[a file, " + file.mediaType() + "]";
      default -> "[something that a terminal cannot show]";
    };
  }

  private static String cut(String text) {
    return text.length() <= ABOUT ? text : text.substring(0, ABOUT) + "…";
  }

  private void complain(String text) {
    host.terminal().err().println("superstep: " + SafeText.line(text));
    host.terminal().err().flush();
  }

  private void say(String text) {
    print(text);
  }

  private void print(String text) {
    host.terminal().out().println(SafeText.of(text));
    host.terminal().out().flush();
  }

  @Override
  public void close() {
    open.forEach(McpConnection::close);
  }
}
