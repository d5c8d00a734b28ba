package dev.superstep.json;

import java.util.List;

/// A type was given to a codec that cannot be written and read back without guessing. Thrown when
/// the channel or question is declared, before any run, and by [Json#of] for a value of such a type
/// inside a map or list.
public final class UnsupportedType extends SuperstepException {
  private static final int PATH_MAX = 80;

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

  /// A part of a value that is no type of its own.
  UnsupportedType(String type, String part) {
    this(type, List.of(part));
  }

  UnsupportedType(String type, JsonLimit limit, String path) {
    this(
        type,
        "it nests deeper than %,d levels, or contains itself, at `%s`"
            .formatted(limit.most(), path.length() > PATH_MAX ? shortened(path) : path));
  }

  private static String shortened(String path) {
    return path.substring(0, PATH_MAX) + "…";
  }

  /// Where in the type or value the unsupported parts are, one sentence each.
  public List<String> paths() {
    return paths;
  }
}
