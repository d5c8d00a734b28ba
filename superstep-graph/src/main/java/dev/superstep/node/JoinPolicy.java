package dev.superstep.node;

/// The number of sources that a join waits for. Immutable.
public sealed interface JoinPolicy {
  /// Every source.
  record All() implements JoinPolicy {}

  /// The first source.
  record Any() implements JoinPolicy {}

  /// So many sources.
  ///
  /// @param sources at least 1
  record AtLeast(int sources) implements JoinPolicy {
    public AtLeast {
      if (sources < 1) {
        throw new IllegalArgumentException("sources must be at least 1, was " + sources);
      }
    }
  }

  /// Waits for every source.
  static JoinPolicy all() {
    return new All();
  }

  /// Waits for the first source.
  static JoinPolicy any() {
    return new Any();
  }

  /// Waits for so many sources, whichever they are.
  static JoinPolicy atLeast(int sources) {
    return new AtLeast(sources);
  }

  /// Returns the number of sources that must have finished, for a join of this many sources.
  default int needs(int sources) {
    return switch (this) {
      case All() -> sources;
      case Any() -> 1;
      case AtLeast(var least) -> least;
    };
  }
}
