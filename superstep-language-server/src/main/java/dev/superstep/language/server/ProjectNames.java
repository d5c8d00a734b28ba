package dev.superstep.language.server;

import dev.superstep.language.check.Names;
import java.net.URI;

/// The names that a source may refer to, by where it is: those of its project. Called on one thread
/// at a time, for each version of a source.
@FunctionalInterface
public interface ProjectNames {
  /// The names for a source.
  ///
  /// @param source where the editor says that it is; need not be a file
  Names of(URI source);

  /// Nothing is registered that is known: names are completed from the source alone.
  static ProjectNames unknown() {
    return _ -> Names.unknown();
  }
}
