package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A name of a component is not written as such names are.
public final class InvalidComponentName extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String text;

  InvalidComponentName(String what, String text, String hint) {
    super(
        "registry.bad-name", "`%s` is no %s of a component. %s".formatted(text, what, hint), null);
    this.text = text;
  }

  /// The rejected text.
  public String text() {
    return text;
  }
}
