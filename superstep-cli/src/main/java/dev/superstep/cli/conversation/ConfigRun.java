package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ServerSetting;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.cli.mcp.ConfiguredServers;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.VendorKeys;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.screen.Table;
import dev.superstep.cli.screen.Table.Cell;
import dev.superstep.terminal.policy.ConfigLayers;
import dev.superstep.terminal.policy.ConfigLayers.Explanation;
import dev.superstep.terminal.policy.ConfigLayers.Layer;
import dev.superstep.terminal.policy.ConfigLayers.Tightening;
import dev.superstep.terminal.privacy.SecretSources;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tomlj.Toml;

/// The work of `superstep config explain`: every place that has a say in a setting, the one that
/// counts, and why the others do not.
public final class ConfigRun {
  private static final String MODEL = "model";
  private static final String SERVER = "server.";
  private static final String MCP = "mcp.";
  private static final String MASK = "(set; its value is not shown)";
  private static final int FILE_MAX = 1024 * 1024;
  private static final Map<String, String> VARIABLES = new LinkedHashMap<>();
  private static final Map<String, String> STANDARD = new LinkedHashMap<>();

  static {
    VARIABLES.put("store", "SUPERSTEP_STORE");
    VARIABLES.put("cache", "SUPERSTEP_CACHE");
    VARIABLES.put("config", "SUPERSTEP_CONFIG");
    VARIABLES.put("ask.quiet-ms", "SUPERSTEP_ASK_QUIET_MS");
    VARIABLES.put("colors", "NO_COLOR");
    STANDARD.put("store", ".superstep/superstep.db");
    STANDARD.put("cache", "~/.cache/superstep");
    STANDARD.put("ask.quiet-ms", "300");
    STANDARD.put("colors", "if the terminal has them");
  }

  private final Host host;

  private ConfigRun(Host host) {
    this.host = host;
  }

  /// Explains a setting, or all.
  ///
  /// @param key empty for all
  /// @return the exit code
  public static int explain(Host host, Optional<String> key) {
    return new ConfigRun(host).explain(key);
  }

  private int explain(Optional<String> key) {
    var names = names();
    if (key.isPresent() && !names.contains(key.get())) {
      throw new UsageError(
          "config.unknown",
          "There is no setting `%s`. Known: %s.".formatted(key.get(), String.join(", ", names)));
    }
    var table =
        Table.of(
            Column.whole("SETTING"),
            Column.whole("FROM"),
            Column.wrap("VALUE", 12),
            Column.wrap("NOTE", 12));
    for (var name : key.map(List::of).orElse(names)) add(read(layers(name).explain(name)), table);
    table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }

  private static void add(Explanation explained, Table table) {
    for (var step : explained.steps()) {
      var value =
          step.layer() == Layer.FLAG
              ? "(--" + explained.name().substring(SERVER.length()) + " of superstep serve)"
              : step.value().map(set -> set + " (" + step.origin() + ")").orElse("(not set)");
      var note = step.counts() ? new Cell("counts", Style.GOOD) : Cell.of(step.note());
      table.row(Cell.of(explained.name()), Cell.of(step.layer().label()), Cell.of(value), note);
    }
  }

  /// Without the layers that this command does not read: options are another command's, and nobody
  /// manages settings for all users yet. Those of the server are named, since each setting has one.
  private static Explanation read(Explanation all) {
    var steps =
        all.steps().stream()
            .filter(step -> step.layer() != Layer.MANAGED)
            .filter(step -> step.layer() != Layer.FLAG || all.name().startsWith(SERVER))
            .toList();
    return new Explanation(all.name(), all.value(), steps);
  }

  private List<String> names() {
    var names = new ArrayList<String>();
    names.add(MODEL);
    names.addAll(VARIABLES.keySet());
    for (var setting : ServerSetting.values()) names.add(SERVER + setting.key());
    for (var keys : VendorKeys.ALL) names.add("key." + keys.provider());
    ConfiguredServers.of(host).stream().map(one -> MCP + one.name()).distinct().forEach(names::add);
    return names;
  }

  private ConfigLayers layers(String name) {
    if (name.equals(MODEL)) return model();
    if (name.startsWith("key.")) return key(name);
    if (name.startsWith(MCP)) return mcp(name);
    for (var setting : ServerSetting.values()) {
      if (name.equals(SERVER + setting.key())) return server(name, setting);
    }
    var layers = ConfigLayers.empty();
    var variable = VARIABLES.getOrDefault(name, "");
    var set = host.variable(variable);
    if (set.isPresent()) {
      layers = layers.with(Layer.ENVIRONMENT, variable, Map.of(name, shown(set.get())));
    }
    if (name.equals("config")) {
      var file = UserConfig.of(host).file().toString();
      return layers.with(Layer.DEFAULT, "built in", Map.of(name, shown(file)));
    }
    return layers.with(Layer.DEFAULT, "built in", Map.of(name, STANDARD.getOrDefault(name, "")));
  }

  private static ConfigLayers named(ConfigLayers layers, Layer layer, String origin, String value) {
    return layers.with(layer, origin, Map.of(MODEL, value));
  }

  private ConfigLayers model() {
    var layers = named(ConfigLayers.empty(), Layer.DEFAULT, "built in", ModelChoice.STANDARD.url());
    var user = UserConfig.of(host);
    if (user.model().isPresent()) {
      layers = named(layers, Layer.USER, user.file().toString(), shown(user.model().get()));
    }
    var variables = new ArrayList<>(List.of("SUPERSTEP_MODEL"));
    variables.addAll(TerminalModel.VARIABLES);
    for (var variable : variables.reversed()) {
      var set = host.variable(variable);
      if (set.isPresent()) layers = named(layers, Layer.ENVIRONMENT, variable, shown(set.get()));
    }
    var folder = folder();
    if (folder.isEmpty()) return layers;
    // A folder chooses no model for the terminal workflow, whoever trusts it.
    return layers.project(
        "superstep.toml; only `superstep run` of this folder takes it",
        Map.of(MODEL, shown(folder.get())),
        true,
        Tightening.never());
  }

  /// The model that the current folder asks for. Its file may be anybody's, and what is wrong in it
  /// is said by the command that uses it.
  private Optional<String> folder() {
    var file = host.folder().resolve("superstep.toml");
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > FILE_MAX) return Optional.empty();
      var toml = Toml.parse(file);
      return toml.isString(MODEL) ? Optional.ofNullable(toml.getString(MODEL)) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private ConfigLayers server(String name, ServerSetting setting) {
    var layers = ConfigLayers.empty();
    if (!setting.standard().isEmpty()) {
      layers = layers.with(Layer.DEFAULT, "built in", Map.of(name, setting.standard()));
    }
    var user = UserConfig.of(host);
    var file = user.server().get(setting.key());
    if (file != null) {
      layers = layers.with(Layer.USER, user.file().toString(), Map.of(name, shown(file)));
    }
    var variable = host.variable(setting.variable());
    if (variable.isEmpty()) return layers;
    var value = Map.of(name, shown(variable.get()));
    return layers.with(Layer.ENVIRONMENT, setting.variable(), value);
  }

  /// A folder's server counts if it is confirmed, and if the user has none of its name.
  private ConfigLayers mcp(String name) {
    var layers = ConfigLayers.empty();
    boolean isFirst = true;
    for (var one : ConfiguredServers.of(host)) {
      if (!name.equals(MCP + one.name())) continue;
      var value = Map.of(name, shown(one.runs()));
      if (one.isUsers()) {
        layers = layers.with(Layer.USER, one.file(), value);
      } else if (isFirst) {
        layers =
            layers.project(one.file(), value, one.isConfirmed(), (_, _, below) -> below.isEmpty());
        isFirst = false;
      }
    }
    return layers;
  }

  private ConfigLayers key(String name) {
    var keys = VendorKeys.of(name.substring("key.".length()));
    var set = keys.flatMap(of -> of.set(host));
    if (set.isEmpty()) return ConfigLayers.empty();
    return ConfigLayers.empty().with(Layer.ENVIRONMENT, set.get(), Map.of(name, MASK));
  }

  /// Without secrets: a URL may have a key in it, and a value may be one of another variable.
  private String shown(String value) {
    var mine = new ArrayList<>(VARIABLES.values());
    mine.add("SUPERSTEP_MODEL");
    mine.addAll(TerminalModel.VARIABLES);
    var redact =
        SecretSources.of(host.variables()).allowing(mine.toArray(String[]::new)).redactor();
    return redact.text(value).replaceAll("(?<=://)[^/@\\s]*@", "***@");
  }
}
