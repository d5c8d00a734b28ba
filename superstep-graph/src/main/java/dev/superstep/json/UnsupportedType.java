package dev.superstep.json;

import java.util.List;

/// A type was given to a codec that cannot be written and read back without guessing. Thrown when
/// the channel or question is declared, before any run.
public final class UnsupportedType extends SuperstepException {
  private final List<String> paths;

  UnsupportedType(String type, List<String> paths) {
    super(
        "json.unsupported-type",
        ("Type %s cannot be stored: %s. Use records, enums, sealed interfaces over records,"
                + " scalars, java.time types, and lists, sets, optionals or string-keyed maps of"
                + " these.")
            .formatted(type, String.join("; ", paths)));
    this.paths = List.copyOf(paths);
  }

  /// Where in the type the unsupported parts are, one sentence each.
  public List<String> paths() {
    return paths;
  }
}
