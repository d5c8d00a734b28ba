package dev.superstep.test.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// An archive of PostgreSQL that has the extension pgvector. No Maven artifact has it: the script
/// `.ci/pgvector` makes it of a package of PyPI.
public final class Pgvector {
  private static final String VARIABLE = "SUPERSTEP_PGVECTOR";

  private Pgvector() {}

  /// The archive, if this machine has it: where the variable `SUPERSTEP_PGVECTOR` says, else where
  /// the script puts it.
  public static Optional<Path> archive() {
    var named = Optional.ofNullable(System.getenv(VARIABLE)).filter(path -> !path.isEmpty());
    var made = Path.of(System.getProperty("user.home"), ".cache", "superstep", "pgvector.txz");
    return Optional.of(named.map(Path::of).orElse(made)).filter(Files::isRegularFile);
  }
}
