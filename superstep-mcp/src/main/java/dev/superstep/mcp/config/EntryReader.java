package dev.superstep.mcp.config;

import dev.superstep.sandbox.Tier;
import dev.superstep.tool.ToolError;
import dev.superstep.tool.ToolPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads one server of a file. The file may be hostile: each value has its type and a bound.
record EntryReader(String name, JsonNode told) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]{0,39}");
  private static final int DEPTH_MAX = 16;
  private static final int TEXT_MAX = 20_000;
  private static final int LIST_MAX = 500;
  private static final int SECONDS_MAX = 86_400;
  private static final int TASKS_MAX = 30 * 86_400;
  private static final List<String> REVISIONS = List.of("2025-11-25", McpGrants.Protocol.STATELESS);
  private static final Set<String> HTTP = Set.of("http", "streamable-http");
  private static final Set<String> KEYS =
      Set.of(
          "command",
          "args",
          "env",
          "url",
          "headers",
          "oauth",
          "only",
          "tools",
          "trust_hints",
          "timeout",
          "protocol",
          "tasks",
          "tier",
          "read",
          "write",
          "disabled");
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  // The server that is shown must be the one that another reader sees.
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .build();

  /// Reads a JSON text.
  ///
  /// @throws InvalidMcpEntry if it is none, or nested too deeply, or has a key twice
  static JsonNode tree(String name, String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      throw new InvalidMcpEntry(
          name, "it is no JSON, nested more than " + DEPTH_MAX + " times, or has a key twice.", e);
    }
  }

  /// A server as other tools write it: keys that are not known here are theirs.
  McpEntry foreign() {
    checkName();
    var type = told.has("type") ? text(told.path("type"), "type") : "";
    if (type.isEmpty()) type = told.has("url") ? "http" : "stdio";
    if (!type.equals("stdio") && !HTTP.contains(type)) {
      throw wrong("its `type` is `%s`. Known: stdio, http.".formatted(ToolError.quote(type)));
    }
    var none = McpGrants.NONE;
    var grants =
        new McpGrants(
            none.only(),
            none.policies(),
            none.trustsHints(),
            none.timeout(),
            none.confinement(),
            foreignProtocol(),
            none.oauth());
    return entry(type.equals("stdio"), grants);
  }

  /// A server in the configuration of this project.
  McpEntry own() {
    checkName();
    for (var key : told.propertyNames()) {
      if (KEYS.contains(key)) continue;
      throw wrong(
          "`%s` is not a key that is known here. Known: %s."
              .formatted(ToolError.quote(key), String.join(", ", KEYS.stream().sorted().toList())));
    }
    if (told.has("command") == told.has("url")) {
      throw wrong("it needs either a `command` or a `url`.");
    }
    var elsewhere = Set.of("headers", "oauth");
    var here = Set.of("args", "env", "tier", "read", "write");
    for (var key : told.has("command") ? elsewhere : here) {
      if (told.has(key)) throw wrong("`" + key + "` does not go with it.");
    }
    return entry(told.has("command"), grants());
  }

  private void checkName() {
    if (!told.isObject()) throw wrong("it is no object.");
    if (NAME.matcher(name).matches()) return;
    throw wrong("its name must begin with a letter and have at most 40 letters, digits, `._-`.");
  }

  private McpEntry entry(boolean isProgram, McpGrants grants) {
    var words = new ArrayList<String>();
    var address = "";
    if (isProgram) {
      words.add(text(told.path("command"), "command"));
      words.addAll(texts("args").orElse(List.of()));
    } else {
      address = text(told.path("url"), "url");
    }
    if (words.isEmpty() ? address.isBlank() : words.getFirst().isBlank()) {
      throw wrong("its `%s` is empty.".formatted(isProgram ? "command" : "url"));
    }
    var settings = settings(isProgram ? "env" : "headers");
    var entry = new McpEntry(name, words, address, settings, grants, flag("disabled"));
    entry.texts().stream()
        .filter(one -> !one.isSound())
        .findFirst()
        .ifPresent(one -> {
          throw wrong(
              "it has `${` that is no variable in `%s`. Write ${NAME} or ${NAME:-other}."
                  .formatted(ToolError.quote(one.text())));
        });
    return entry;
  }

  private McpGrants grants() {
    return new McpGrants(
        texts("only"),
        policies(),
        flag("trust_hints"),
        seconds("timeout", SECONDS_MAX),
        confinement(),
        protocol(),
        oauth());
  }

  private Map<String, ToolPolicy> policies() {
    var all = new TreeMap<String, ToolPolicy>();
    var tools = told.path("tools");
    if (tools.isMissingNode()) return all;
    if (!tools.isObject() || tools.size() > LIST_MAX) throw wrong("`tools` must be a table.");
    for (var one : tools.properties()) {
      var value = one.getValue();
      var words =
          value.isArray()
              ? list(value, "tools." + one.getKey())
              : List.of(text(value, "tools." + one.getKey()));
      var policy =
          PolicyWords.read(words)
              .orElseThrow(() ->
                  wrong(
                      "the policy of `%s` must be read_only, or other words of: %s."
                          .formatted(ToolError.quote(one.getKey()), PolicyWords.known())));
      all.put(one.getKey(), policy);
    }
    return all;
  }

  /// Other tools may mean other things by the same keys.
  private McpGrants.Protocol foreignProtocol() {
    var given = told.path("protocol").asString("");
    var revision = REVISIONS.contains(given) ? Optional.of(given) : Optional.<String>empty();
    boolean isTime = told.path("tasks").isIntegralNumber();
    var tasks = isTime ? seconds("tasks", TASKS_MAX) : Optional.<Duration>empty();
    return new McpGrants.Protocol(revision, tasks);
  }

  private McpGrants.Protocol protocol() {
    var revision = Optional.<String>empty();
    if (told.has("protocol")) {
      var given = text(told.path("protocol"), "protocol");
      if (!REVISIONS.contains(given)) {
        throw wrong(
            "its `protocol` is `%s`. Known: %s."
                .formatted(ToolError.quote(given), String.join(", ", REVISIONS)));
      }
      revision = Optional.of(given);
    }
    return new McpGrants.Protocol(revision, seconds("tasks", TASKS_MAX));
  }

  private Optional<Duration> seconds(String key, int most) {
    var value = told.path(key);
    if (value.isMissingNode()) return Optional.empty();
    boolean isWhole = value.isIntegralNumber() && value.canConvertToInt();
    if (isWhole && value.intValue() >= 1 && value.intValue() <= most) {
      return Optional.of(Duration.ofSeconds(value.intValue()));
    }
    throw wrong("`" + key + "` must be whole seconds from 1 to " + most + ".");
  }

  private Optional<McpGrants.Confinement> confinement() {
    if (!told.has("tier")) {
      if (told.has("read") || told.has("write")) throw wrong("`read` and `write` need a `tier`.");
      return Optional.empty();
    }
    var tier =
        switch (text(told.path("tier"), "tier")) {
          case "process" -> Tier.PROCESS;
          case "landlock" -> Tier.LANDLOCK;
          case "bubblewrap" -> Tier.BUBBLEWRAP;
          default -> throw wrong("its `tier` must be process, landlock or bubblewrap.");
        };
    var reads = texts("read").orElse(List.of());
    return Optional.of(new McpGrants.Confinement(tier, reads, texts("write").orElse(List.of())));
  }

  private Optional<McpGrants.OAuth> oauth() {
    var value = told.path("oauth");
    if (value.isMissingNode()) return Optional.empty();
    if (value.isBoolean()) {
      return value.booleanValue()
          ? Optional.of(new McpGrants.OAuth(Optional.empty()))
          : Optional.empty();
    }
    return Optional.of(new McpGrants.OAuth(Optional.of(text(value, "oauth"))));
  }

  private Map<String, String> settings(String key) {
    var all = new TreeMap<String, String>();
    var value = told.path(key);
    if (value.isMissingNode()) return all;
    if (!value.isObject() || value.size() > LIST_MAX) {
      throw wrong("`" + key + "` must be an object with texts.");
    }
    for (var one : value.properties()) all.put(one.getKey(), text(one.getValue(), key));
    return all;
  }

  private boolean flag(String key) {
    var value = told.path(key);
    if (value.isMissingNode()) return false;
    if (value.isBoolean()) return value.booleanValue();
    throw wrong("`" + key + "` must be true or false.");
  }

  private Optional<List<String>> texts(String key) {
    var value = told.path(key);
    return value.isMissingNode() ? Optional.empty() : Optional.of(list(value, key));
  }

  private List<String> list(JsonNode value, String key) {
    if (!value.isArray() || value.size() > LIST_MAX) {
      throw wrong("`%s` must be a list of at most %d texts.".formatted(quoted(key), LIST_MAX));
    }
    var all = new ArrayList<String>();
    for (var one : value) all.add(text(one, key));
    return all;
  }

  private String text(JsonNode value, String key) {
    if (value.isString()
        && value.stringValue().length() <= TEXT_MAX
        && value.stringValue().indexOf('\0') < 0) {
      return value.stringValue();
    }
    throw wrong("`%s` must have texts of at most %d characters.".formatted(quoted(key), TEXT_MAX));
  }

  private static String quoted(String key) {
    return ToolError.quote(key);
  }

  private InvalidMcpEntry wrong(String why) {
    return new InvalidMcpEntry(ToolError.quote(name), why);
  }
}
