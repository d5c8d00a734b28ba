package dev.superstep.cli.model;

import dev.superstep.cli.host.Host;
import java.util.List;
import java.util.Optional;

/// The variables that hold the keys of vendors. Immutable.
///
/// @param provider the scheme of its models
/// @param variables of which one has to be set
public record VendorKeys(String provider, List<String> variables) {
  /// The vendors that want a key.
  public static final List<VendorKeys> ALL =
      List.of(
          new VendorKeys("openai", List.of("OPENAI_API_KEY")),
          new VendorKeys("anthropic", List.of("ANTHROPIC_API_KEY")),
          new VendorKeys("gemini", List.of("GEMINI_API_KEY", "GOOGLE_API_KEY")),
          new VendorKeys("mistral", List.of("MISTRAL_API_KEY")));

  public VendorKeys {
    variables = List.copyOf(variables);
  }

  /// The keys of a provider; empty if it wants none.
  public static Optional<VendorKeys> of(String provider) {
    return ALL.stream().filter(each -> each.provider().equals(provider)).findFirst();
  }

  /// The variable that is set, if one is.
  public Optional<String> set(Host host) {
    return variables.stream().filter(name -> host.variable(name).isPresent()).findFirst();
  }

  /// The variables as a person reads them.
  public String text() {
    return String.join(" or ", variables);
  }
}
