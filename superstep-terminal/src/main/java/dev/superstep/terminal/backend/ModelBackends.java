package dev.superstep.terminal.backend;

import dev.superstep.json.SuperstepException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The providers of models by name. One is opened when it is first needed, so that a session
/// without a prompt needs no key. Immutable.
public final class ModelBackends {
  private final Map<String, Supplier<ModelBackend>> openers;

  private ModelBackends(Map<String, Supplier<ModelBackend>> openers) {
    this.openers = openers;
  }

  /// No providers.
  public static ModelBackends none() {
    return new ModelBackends(Map.of());
  }

  /// Returns a copy with one more.
  public ModelBackends with(String name, Supplier<ModelBackend> opener) {
    var more = new TreeMap<>(openers);
    more.put(name, opener);
    return new ModelBackends(more);
  }

  /// Opens a provider.
  ///
  /// @throws UnknownBackend if there is none of that name
  public ModelBackend open(String name) {
    var opener = openers.get(name);
    if (opener == null) throw new UnknownBackend(name, String.join(", ", openers.keySet()));
    return opener.get();
  }

  /// There is no provider of that name.
  public static final class UnknownBackend extends SuperstepException {
    UnknownBackend(String name, String known) {
      super(
          "terminal.unknown-provider",
          "There is no model provider `%s`. Known: %s. Choose one of them."
              .formatted(name, known.isEmpty() ? "none" : known));
    }
  }
}
