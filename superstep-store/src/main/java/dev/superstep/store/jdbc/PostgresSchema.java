package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/// Scripts that make a schema in PostgreSQL and move it on, run by Flyway, which of several
/// processes lets one at a time. Why not on SQLite: docs/decisions/0006. Immutable.
///
/// @param history the table in which Flyway notes what it ran
/// @param scripts names of resources of this package; the n-th makes version n, and none is ever
///   changed after a release
record PostgresSchema(String history, List<String> scripts) {
  private static final int ATTEMPTS_MAX = 20;
  private static final Duration RETRY = Duration.ofMillis(100);

  static PostgresSchema store() {
    return new PostgresSchema("superstep_store_history", List.of("postgres-store-001.sql"));
  }

  /// Several may do this at once. One that finds the history of another still empty, which Flyway
  /// takes for damage, tries again.
  ///
  /// @throws StoreFailed if the database cannot be used, or its schema is not ours
  void bringUpToDate(DataSource pool) {
    for (int attempt = 1; ; attempt++) {
      try {
        migrate(pool);
        return;
      } catch (FlywayException e) {
        boolean brief = !(e.getCause() instanceof SQLException);
        if (!brief || attempt == ATTEMPTS_MAX) throw failed(e);
        LockSupport.parkNanos(RETRY.toNanos());
      }
    }
  }

  private void migrate(DataSource pool) {
    Flyway.configure(PostgresSchema.class.getClassLoader())
        .dataSource(pool)
        .table(history)
        // The schema may hold tables of others.
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .placeholderReplacement(false)
        // Named, not found by a scan: that would run what a user keeps for an own Flyway.
        .resourceProvider(new Scripts(scripts))
        .javaMigrationClassProvider(List::of)
        .load()
        .migrate();
  }

  private static StoreFailed failed(FlywayException e) {
    return new StoreFailed(
        "PostgreSQL",
        "its tables cannot be made or moved on (%s); check that it runs, and the user's rights"
            .formatted(String.valueOf(e.getMessage()).strip()),
        e);
  }

  private record Scripts(List<String> names) implements ResourceProvider {
    /// Flyway asks for settings beside each script; there are none.
    @Override
    public @Nullable LoadableResource getResource(String name) {
      return null;
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
      if (!prefix.equals("V")) return List.of();
      return names.stream()
          .<LoadableResource>map(name -> new Script(name, names.indexOf(name) + 1))
          .toList();
    }
  }

  private static final class Script extends LoadableResource {
    private final String name;
    private final int version;

    Script(String name, int version) {
      this.name = name;
      this.version = version;
    }

    @Override
    public Reader read() {
      InputStream in = PostgresSchema.class.getResourceAsStream(name);
      if (in == null) throw new UncheckedIOException(new IOException("`" + name + "` is missing"));
      return new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    @Override
    public String getAbsolutePath() {
      return name;
    }

    @Override
    public String getAbsolutePathOnDisk() {
      return name;
    }

    /// The form in which Flyway reads the version.
    @Override
    public String getFilename() {
      return "V" + version + "__" + name;
    }

    @Override
    public String getRelativePath() {
      return getFilename();
    }
  }
}
