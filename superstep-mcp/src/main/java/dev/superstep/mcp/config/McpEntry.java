package dev.superstep.mcp.config;

import dev.superstep.json.Json;
import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.ToolPins;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpTokens;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolError;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A server as a file names it. The file may be a stranger's, and the entry says what to run:
/// nothing is run or reached before a person has read [#lines] and confirmed them, which [McpTrust]
/// keeps. Immutable.
///
/// Values may have `${NAME}` and `${NAME:-other}` in them, which stand for variables of this
/// process: [#variables].
///
/// @param words the program with its arguments; empty for a server elsewhere
/// @param address of a server elsewhere; empty for a program
/// @param settings variables of the program, or headers of the requests
/// @param grants what it may do here
/// @param isDisabled whether the file says that it is not to be used
public record McpEntry(
    String name,
    List<String> words,
    String address,
    Map<String, String> settings,
    McpGrants grants,
    boolean isDisabled) {
  public McpEntry {
    words = List.copyOf(words);
    settings = Map.copyOf(settings);
  }

  /// Reads a table of a configuration: `command`, `args` and `env`, or `url`, `headers` and
  /// `oauth`; `only`, `tools` (policies), `trust_hints`, `timeout`, `protocol`, `tasks`, `tier`,
  /// `read`, `write`, `disabled`.
  ///
  /// @param table an object
  /// @throws InvalidMcpEntry that says what is wrong
  public static McpEntry of(String name, Json table) {
    return new EntryReader(name, EntryReader.tree(ToolError.quote(name), table.text())).own();
  }

  /// The digest of all that it says.
  public String digest() {
    var all = new TreeMap<String, Object>();
    all.put("name", name);
    all.put("words", words);
    all.put("address", address);
    all.put("settings", new TreeMap<>(settings));
    all.put("only", grants.only().map(only -> List.<Object>of(only)).orElse(List.of()));
    all.put("policies", grants.policyWords());
    all.put("trustsHints", grants.trustsHints());
    all.put("timeout", grants.timeout().map(Object::toString).orElse(""));
    all.put("tier", grants.confinement().map(held -> held.tier().name()).orElse(""));
    all.put("reads", grants.confinement().map(McpGrants.Confinement::reads).orElse(List.of()));
    all.put("writes", grants.confinement().map(McpGrants.Confinement::writes).orElse(List.of()));
    // Only if they are set, so that what was confirmed without them stays confirmed.
    var protocol = grants.protocol();
    protocol.revision().ifPresent(revision -> all.put("protocol", revision));
    protocol.tasks().ifPresent(time -> all.put("tasks", time.toString()));
    all.put("oauth", grants.oauth().map(Object::toString).orElse(""));
    return Digests.of(Json.of(all).canonical().text());
  }

  /// The variables of this process that the server would get to know.
  public List<String> variables() {
    var names = new TreeSet<String>();
    texts().forEach(text -> names.addAll(text.names()));
    return List.copyOf(names);
  }

  /// All texts in which variables may stand.
  List<VariableText> texts() {
    var all = new ArrayList<>(words);
    all.add(address);
    all.addAll(settings.values());
    grants.confinement().map(McpGrants.Confinement::reads).ifPresent(all::addAll);
    grants.confinement().map(McpGrants.Confinement::writes).ifPresent(all::addAll);
    return all.stream().map(VariableText::new).toList();
  }

  /// The whole of it for a person who decides on it, a line for each thing. The texts are those of
  /// the file: make them harmless before a terminal shows them. Values of variables are not in it.
  ///
  /// @param folder that the file is in
  public List<String> lines(Path folder) {
    return EntryText.lines(this, folder);
  }

  /// The server. To be called once it was confirmed.
  ///
  /// @param folder that the file is in: a program runs there
  /// @param variables the values of variables; null for one that is not set
  /// @throws InvalidMcpEntry if a variable is not set, or the entry cannot be used
  public McpServer server(Path folder, Function<String, @Nullable String> variables) {
    if (grants.oauth().isEmpty()) return new ServerMaking(this, folder, variables).made();
    throw new InvalidMcpEntry(name, "it needs a person who agrees on a page (oauth).");
  }

  /// The server, for which a person may have to agree on a page. To be called once it was
  /// confirmed.
  ///
  /// @throws InvalidMcpEntry if a variable is not set, or the entry cannot be used
  public McpServer server(
      Path folder, Function<String, @Nullable String> variables, McpConsent consent) {
    return server(folder, variables, consent, McpTokens.inMemory());
  }

  /// The server, for which a person may have to agree on a page unless they have done so before. To
  /// be called once it was confirmed.
  ///
  /// @param tokens where what a person has granted is kept: [McpTrust#tokens]
  /// @throws InvalidMcpEntry if a variable is not set, or the entry cannot be used
  public McpServer server(
      Path folder,
      Function<String, @Nullable String> variables,
      McpConsent consent,
      McpTokens tokens) {
    return new ServerMaking(this, folder, variables).made(consent, tokens);
  }

  /// The tools as they were approved, without the server: for a graph that is only looked at, or a
  /// run that is replayed. Each call of one fails.
  public List<Tool> unconnected(ToolPins pins) {
    return new ServerMaking(this, Path.of("/"), _ -> null).unconnected(pins);
  }

  /// Without the values of settings, which may be secrets.
  @Override
  public String toString() {
    return "McpEntry[" + name + ", " + (words.isEmpty() ? address : words.getFirst()) + "]";
  }
}
