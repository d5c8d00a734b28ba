package dev.superstep.registry;

import dev.superstep.json.SuperstepException;

/// A name of a component is not written as such names are.
public final class InvalidComponentName extends SuperstepException {
  InvalidComponentName(String what, String text, String hint) {
    super("registry.bad-name", "`%s` is no %s of a component. %s".formatted(text, what, hint));
  }
}
