package dev.superstep.cli.mcp;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.mcp.McpConnection;
import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The tools of the MCP servers for a folder. Nothing is read, started or reached before somebody
/// wants tools, and no server before it is confirmed. Closing it ends the servers that it started.
/// Safe for many threads.
public final class FolderTools implements AutoCloseable {
  /// A variable that stands for the folder.
  static final String FOLDER = "SUPERSTEP_FOLDER";

  private final Host host;
  private final Path folder;
  private final boolean asks;
  private final Consumer<String> notice;
  private final boolean isOff;
  private final Map<String, McpConnection> open = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> refused = new HashSet<>();
  private boolean isClosed;

  private FolderTools(
      Host host, Path folder, boolean asks, Consumer<String> notice, boolean isOff) {
    this.host = host;
    this.folder = folder;
    this.asks = asks;
    this.notice = notice;
    this.isOff = isOff;
  }

  /// Those of a folder.
  ///
  /// @param asks whether a person may be asked to confirm a server
  /// @param notice prints a sentence for the user
  public static FolderTools of(Host host, Path folder, boolean asks, Consumer<String> notice) {
    return new FolderTools(host, folder, asks, notice, false);
  }

  /// No tools.
  public static FolderTools none(Host host, Path folder) {
    return new FolderTools(host, folder, false, _ -> {}, true);
  }

  /// All tools.
  ///
  /// @throws dev.superstep.json.SuperstepException if a server is not confirmed or not there
  public List<Tool> tools() {
    if (isOff) return List.of();
    var found = FolderServers.of(host, folder);
    found.unusable().forEach(notice);
    return List.copyOf(tools(found, confirmed(found, found.used(), false)).values());
  }

  /// All tools but those of servers to which a person says no, for a conversation that goes on
  /// without them. Each call of a tool that does more than read waits for an approval.
  ///
  /// @throws dev.superstep.json.SuperstepException if a server is not there, or if it is not
  ///   confirmed and nobody can be asked
  public List<Tool> agreed() {
    if (isOff) return List.of();
    var found = FolderServers.of(host, folder);
    found.unusable().forEach(notice);
    return tools(found, confirmed(found, found.used(), true)).values().stream()
        .map(FolderTools::careful)
        .toList();
  }

  private static Tool careful(Tool tool) {
    var policy = tool.policy();
    return policy.isReadOnly() ? tool : tool.withPolicy(policy.approved());
  }

  /// The tools of all servers that may have one of these names, of which each is one then.
  ///
  /// @throws UsageError if a server has no tool of such a name
  public Map<String, Tool> having(Set<String> names) {
    if (names.isEmpty()) return Map.of();
    var found = FolderServers.of(host, folder);
    var servers = found.having(names);
    if (servers.isEmpty()) return Map.of();
    var tools = tools(found, confirmed(found, servers, false));
    for (var name : names) {
      boolean isMeant = servers.stream().anyMatch(one -> one.mayHave(name));
      if (!isMeant || tools.containsKey(name)) continue;
      throw new UsageError(
          "mcp.unknown-tool",
          "The MCP servers have no tool `%s`. They have: %s."
              .formatted(name, String.join(", ", tools.keySet())));
    }
    return tools;
  }

  /// Those that are confirmed. All are asked about before the first is started.
  ///
  /// @param mayRefuse whether a no leaves a server out, instead of ending all
  private List<FolderServer> confirmed(
      FolderServers found, List<FolderServer> servers, boolean mayRefuse) {
    lock.lock();
    try {
      var confirmation = ServerConfirmation.of(host, found.root());
      var confirmed = new ArrayList<FolderServer>();
      for (var one : servers) {
        if (refused.contains(one.name())) continue;
        if (open.containsKey(one.name()) || confirmation.isConfirmed(one)) {
          confirmed.add(one);
        } else if (asks && confirmation.isAgreed(one)) {
          confirmed.add(one);
        } else if (asks && mayRefuse) {
          refused.add(one.name());
          notice.accept("MCP server " + one.name() + " is not confirmed; it goes on without it");
        } else {
          throw confirmation.needed(one);
        }
      }
      return confirmed;
    } finally {
      lock.unlock();
    }
  }

  private Map<String, Tool> tools(FolderServers found, List<FolderServer> servers) {
    lock.lock();
    try {
      var confirmation = ServerConfirmation.of(host, found.root());
      var tools = new LinkedHashMap<String, Tool>();
      for (var one : servers) {
        for (var tool : connected(one, confirmation).tools()) add(tool, tools);
      }
      return tools;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UsageError("mcp.interrupted", "MCP servers were being started. Try again.", e);
    } finally {
      lock.unlock();
    }
  }

  private static void add(Tool tool, Map<String, Tool> tools) {
    if (tools.putIfAbsent(tool.name(), tool) == null) return;
    throw new UsageError(
        "mcp.same-tool",
        "Two MCP servers have a tool `%s`. Rename one of the servers.".formatted(tool.name()));
  }

  private McpConnection connected(FolderServer one, ServerConfirmation confirmation)
      throws InterruptedException {
    var known = open.get(one.name());
    if (known != null) return known;
    if (isClosed) throw new IllegalStateException("these tools are closed");
    var connection = connection(one, confirmation);
    open.put(one.name(), connection);
    for (var why : connection.skipped()) {
      notice.accept("MCP server " + one.name() + ", a tool is left out: " + why);
    }
    for (var change : connection.changes()) {
      // The first contact approves what there is.
      if (!confirmation.pins(one).knows(one.name())) break;
      notice.accept(
          "MCP server %s has %s the tool %s since its tools were approved"
              .formatted(
                  one.name(), change.approved().isEmpty() ? "added" : "changed", change.tool()));
    }
    return connection;
  }

  /// Connects with a server that is confirmed.
  private McpConnection connection(FolderServer one, ServerConfirmation confirmation)
      throws InterruptedException {
    return server(one, confirmation, host, asks).connect();
  }

  /// A server that is confirmed, with its values of variables.
  static McpServer server(
      FolderServer one, ServerConfirmation confirmation, Host host, boolean asks) {
    Function<String, @Nullable String> variables =
        name -> name.equals(FOLDER) ? confirmation.root().toString() : host.variables().get(name);
    var entry = one.entry();
    var server =
        entry.grants().oauth().isEmpty()
            ? entry.server(one.place(), variables)
            : entry.server(
                one.place(),
                variables,
                asks ? consent(host) : McpConsent.nobody(),
                confirmation.tokens(one));
    // Its questions are questions of the run, which waits for them.
    return server.pins(confirmation.pins(one)).asking();
  }

  private static McpConsent consent(Host host) {
    return McpConsent.onThisMachine(page -> {
      host.terminal().err().println("Visit this page of " + page.getHost() + " to agree: " + page);
      host.terminal().err().flush();
    });
  }

  /// The tools of confirmed servers as they were approved, for a program that is only looked at or
  /// replayed. None can be called, and nothing is started.
  public static List<Tool> unconnected(Host host, Path folder) {
    var found = FolderServers.of(host, folder);
    var confirmation = ServerConfirmation.of(host, found.root());
    var tools = new LinkedHashMap<String, Tool>();
    for (var one : found.used()) {
      if (!confirmation.isConfirmed(one)) continue;
      for (var tool : one.entry().unconnected(confirmation.pins(one))) {
        tools.putIfAbsent(tool.name(), tool);
      }
    }
    return List.copyOf(tools.values());
  }

  /// Tools of the names that servers for a folder may have, for texts that are only looked at. None
  /// can be called, and nothing is started.
  public static Map<String, Tool> onlyNamed(Host host, Path folder, Set<String> names) {
    var tools = new LinkedHashMap<String, Tool>();
    if (names.isEmpty()) return tools;
    for (var one : FolderServers.of(host, folder).having(names)) {
      for (var name : names) if (one.mayHave(name)) tools.put(name, OnlyNamed.tool(name));
    }
    return tools;
  }

  /// Returns whether servers are named for a folder, so that nobody knows the names of all tools.
  public static boolean areNamed(Host host, Path folder) {
    return !FolderServers.of(host, folder).used().isEmpty();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      new ArrayList<>(open.values()).forEach(McpConnection::close);
      open.clear();
    } finally {
      lock.unlock();
    }
  }
}
