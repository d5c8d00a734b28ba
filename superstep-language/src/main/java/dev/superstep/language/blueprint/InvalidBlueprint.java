package dev.superstep.language.blueprint;

/// The failure of reading a blueprint from JSON that is none.
public final class InvalidBlueprint extends RuntimeException {
  private static final long serialVersionUID = 1;

  InvalidBlueprint(String why) {
    super("This is not a blueprint: " + why);
  }
}
