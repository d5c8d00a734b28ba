package dev.superstep.cli.rlm;

import dev.superstep.agent.Agent;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.repl.agent.UnknownPlaceholder;
import dev.superstep.repl.config.InvalidReplConfig;
import dev.superstep.repl.config.ReplConfig;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The settings of `superstep rlm ask`: those of a file, if one is named, and before them what was
/// typed. Immutable.
///
/// @param file empty if there is none; then the configuration is the standard one
record AskSettings(Host host, Optional<Path> file, ReplConfig config) {
  /// The model of the cells, as cells call it.
  private static final String LEAF = "leaf";

  private static final int BYTES_MAX = 256 * 1024;

  /// @throws UsageError if the file cannot be read, is wrong, or asks for more than the command has
  static AskSettings of(Host host, AskRequest request) {
    var file = request.config().map(host::path);
    var config = file.map(AskSettings::read).orElseGet(() -> ReplConfig.of("standard"));
    var most = request.most();
    var standard = config.limits();
    var limits =
        standard
            .withTurns(most.turns().orElse(standard.turns()))
            .withCalls(most.calls().orElse(standard.models()), 0, ReplLimits.standard().agents(), 0)
            .withDepth(most.depth().orElse(standard.depth()))
            .withDirect(most.direct().orElse(standard.directTokens()));
    long tokens = most.tokens().orElse(config.tokens());
    return new AskSettings(host, file, config.withLimits(limits).withTokens(tokens));
  }

  private static ReplConfig read(Path file) {
    try {
      var config = ReplConfig.parse(TextFile.read(file, BYTES_MAX, "config"));
      checkNone(file, "tools", config.tools());
      checkNone(file, "agents", config.agents());
      checkNone(file, "graphs", config.graphs());
      checkNone(file, "stores", config.stores());
      if (config.subModels().size() > 1) {
        throw notHere(file, "more than one `sub_model`", "grants one");
      }
      if (!config.interpreter().equals(ReplConfig.RAGSH)) {
        throw notHere(file, "interpreter `" + config.interpreter() + "`", "has `ragsh` alone");
      }
      return config;
    } catch (InvalidReplConfig | UnknownPlaceholder e) {
      throw new UsageError("config.invalid", file + ": " + e.getMessage(), e);
    }
  }

  private static void checkNone(Path file, String key, List<String> names) {
    if (!names.isEmpty()) throw notHere(file, "`" + key + "`", "grants models alone");
  }

  private static UsageError notHere(Path file, String what, String has) {
    return new UsageError(
        "config.not-here", "%s asks for %s; this command %s.".formatted(file, what, has));
  }

  /// The model that writes the programs.
  ModelChoice driver(Optional<String> typed) {
    if (typed.isPresent() || file.isEmpty()) {
      return ModelChoice.forRun(host, typed, Optional.empty());
    }
    return ModelChoice.forConfig(file.get(), config.driverModel(), "--model");
  }

  /// The model that programs ask.
  ModelChoice leaf(Optional<String> typed, ModelChoice driver) {
    if (typed.isPresent()) return ModelChoice.forRun(host, typed, Optional.empty());
    if (file.isEmpty() || config.subModels().isEmpty()) return driver;
    return ModelChoice.forConfig(file.get(), config.subModels().getFirst(), "--leaf-model");
  }

  Agent<String> agent(String name, OpenModel driver, OpenModel leaf) {
    var settings =
        config.withName(name).settings(driver.model(), Grants.none().model(LEAF, leaf.model()));
    // A run that nobody configured is bounded by its tokens.
    return (file.isPresent() ? settings : settings.agent(UnaryOperator.identity())).build();
  }
}
