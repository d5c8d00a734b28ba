package dev.superstep.mcp;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A server as a file of a folder names it, such as the `.mcp.json` that other tools use. The
/// folder may be a stranger's, and the entry says what to run: nothing is run before a person has
/// read [#words] or [#address] and confirmed the [#digest]. Immutable.
///
/// ```java
/// for (var entry : McpEntry.read(Files.readString(folder.resolve(".mcp.json")))) {
///   if (confirmed.contains(entry.digest())) servers.add(entry.server(folder, System::getenv));
/// }
/// ```
///
/// Values may have `${NAME}` and `${NAME:-other}` in them, which stand for variables of this
/// process: [#variables].
///
/// @param words the program with its arguments; empty for a server elsewhere
/// @param address of a server elsewhere; empty for a program
/// @param settings variables of the program, or headers of the requests
/// @param digest of all of this and the name
public record McpEntry(
    String name, List<String> words, String address, Map<String, String> settings, String digest) {
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");
  private static final int FILE_MAX = 256_000;
  private static final int ENTRIES_MAX = 100;

  public McpEntry {
    words = List.copyOf(words);
    settings = Map.copyOf(settings);
  }

  /// Reads the text of an `.mcp.json`. Runs and fetches nothing.
  ///
  /// @throws McpFailed.Misconfigured if it is none, or an entry is
  public static List<McpEntry> read(String text) {
    var tree =
        text.length() > FILE_MAX
            ? null
            : new Wire(McpLimits.standard().messageBytes(), McpLimits.standard().depth())
                .read(text);
    if (tree == null || !tree.path("mcpServers").isObject()) {
      throw new McpFailed.Misconfigured(
          ".mcp.json", "it is no JSON object with `mcpServers`.", null);
    }
    if (tree.path("mcpServers").size() > ENTRIES_MAX) {
      throw new McpFailed.Misconfigured(
          ".mcp.json", "it has more than " + ENTRIES_MAX + " servers.", null);
    }
    var all = new ArrayList<McpEntry>();
    for (var one : tree.path("mcpServers").properties()) {
      all.add(entry(one.getKey(), one.getValue()));
    }
    return List.copyOf(all);
  }

  private static McpEntry entry(String name, JsonNode told) {
    var type = told.path("type").asString(told.has("url") ? "http" : "stdio");
    var words = new ArrayList<String>();
    if (type.equals("stdio")) {
      words.add(told.path("command").asString(""));
      for (var one : told.path("args")) words.add(one.asString(""));
      if (words.getFirst().isBlank()) throw wrong(name, "it has no `command`.");
    } else if (!type.equals("http") && !type.equals("streamable-http")) {
      throw wrong(name, "its type is `%s`; only `stdio` and `http` are known.".formatted(type));
    }
    var address = words.isEmpty() ? told.path("url").asString("") : "";
    if (words.isEmpty() && address.isBlank()) throw wrong(name, "it has no `url`.");
    var settings = settings(told.path(words.isEmpty() ? "headers" : "env"));
    var digest = digest(name, words, address, settings);
    return new McpEntry(name, words, address, settings, digest);
  }

  private static Map<String, String> settings(JsonNode told) {
    var all = new TreeMap<String, String>();
    for (var one : told.properties()) all.put(one.getKey(), one.getValue().asString(""));
    return all;
  }

  private static String digest(
      String name, List<String> words, String address, Map<String, String> settings) {
    var all = new TreeMap<String, Object>(Map.of("name", name, "words", words, "address", address));
    all.put("settings", settings);
    return ToolNames.digest(Json.of(all).canonical().text());
  }

  private static McpFailed wrong(String name, String why) {
    return new McpFailed.Misconfigured(dev.superstep.tool.ToolError.quote(name), why, null);
  }

  /// The variables of this process that the server would get to know: show them with the rest.
  public List<String> variables() {
    var names = new java.util.TreeSet<String>();
    var texts = new ArrayList<>(words);
    texts.add(address);
    texts.addAll(settings.values());
    for (var text : texts) {
      var found = VARIABLE.matcher(text);
      while (found.find()) names.add(found.group(1));
    }
    return List.copyOf(names);
  }

  /// The server. To be called once its digest was confirmed.
  ///
  /// @param folder that the file is in
  /// @param variables the values of variables; null for one that is not set
  /// @throws McpFailed.Misconfigured if a variable is not set, or the entry cannot be used
  public McpServer server(
      Path folder, Function<String, @org.jspecify.annotations.Nullable String> variables) {
    try {
      var filled = new ArrayList<String>();
      for (var word : words) filled.add(filled(word, variables));
      var server =
          words.isEmpty()
              ? McpServer.http(name, new URI(filled(address, variables)))
              : McpServer.stdio(name, folder.toAbsolutePath(), filled.toArray(String[]::new));
      for (var one : settings.entrySet()) {
        var value = filled(one.getValue(), variables);
        server =
            words.isEmpty()
                ? server.header(one.getKey(), value)
                : server.variable(one.getKey(), value);
      }
      return server;
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new McpFailed.Misconfigured(
          dev.superstep.tool.ToolError.quote(name), String.valueOf(e.getMessage()), e);
    }
  }

  private String filled(
      String text, Function<String, @org.jspecify.annotations.Nullable String> variables) {
    return VARIABLE
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(value(found.group(1), found.group(2), variables)));
  }

  private String value(
      String variable,
      @org.jspecify.annotations.Nullable String other,
      Function<String, @org.jspecify.annotations.Nullable String> variables) {
    var value = Optional.ofNullable(variables.apply(variable)).or(() -> Optional.ofNullable(other));
    return value.orElseThrow(() -> wrong(name, "the variable `" + variable + "` is not set."));
  }

  /// Without the values of settings, which may be secrets.
  @Override
  public String toString() {
    return "McpEntry[" + name + ", " + (words.isEmpty() ? address : words.getFirst()) + "]";
  }
}
