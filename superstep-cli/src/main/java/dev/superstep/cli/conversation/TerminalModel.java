package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.terminal.backend.ProviderChoice;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The model of the terminal workflow: as for programs, but a variable may also name a provider
/// alone, and a folder has no say in it.
final class TerminalModel {
  /// The variables that name a provider, the stronger first.
  static final List<String> VARIABLES =
      List.of(ProviderChoice.VARIABLE, ProviderChoice.PARSEC_VARIABLE);

  private static final Map<String, String> USUAL =
      Map.of(
          "local", "local://gemma3-270m",
          "openai", "openai://gpt-5.2",
          "anthropic", "anthropic://claude-sonnet-4-5",
          "gemini", "gemini://gemini-2.5-flash",
          "google-ai", "gemini://gemini-2.5-flash");

  private TerminalModel() {}

  /// Chooses the model.
  ///
  /// @param option the URL that an option names
  /// @throws UsageError if a variable names a provider that is not known
  static ModelChoice choose(Host host, Optional<String> option) {
    boolean isNamed = option.isPresent() || host.variable("SUPERSTEP_MODEL").isPresent();
    if (!isNamed) {
      for (var variable : VARIABLES) {
        var named = host.variable(variable).map(name -> url(variable, name.strip()));
        if (named.isPresent()) return ModelChoice.of(named.get(), ModelChoice.From.PROVIDER);
      }
    }
    return ModelChoice.forRun(host, option, Optional.empty());
  }

  private static String url(String variable, String name) {
    if (name.contains("://")) return name;
    var url = USUAL.get(name);
    if (url != null) return url;
    throw new UsageError(
        "model.provider",
        "%s is `%s`, which is no provider. Known: %s; or set SUPERSTEP_MODEL to a model URL."
            .formatted(
                variable, name, String.join(", ", USUAL.keySet().stream().sorted().toList())));
  }
}
