package dev.superstep.store.jdbc.postgres;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/// The tables in PostgreSQL. Brings them up to what this program needs. One thread.
public final class PostgresSchema {
  static final String NAME = "superstep";
  private static final String HISTORY = "schema_history";
  // The n-th makes version n. Never changed after a release.
  private static final List<String> SCRIPTS =
      List.of(
          "V1__checkpoints.sql",
          "V2__items.sql",
          "V3__small.sql",
          "V4__format2.sql",
          "V5__service.sql");
  private static final List<String> GROWING =
      List.of(
          "thread",
          "lineage",
          "run",
          "checkpoint",
          "rewind",
          "value",
          "log",
          "log_item",
          "task",
          "step",
          "answer",
          "blob",
          "entry",
          "item",
          "service_document",
          "service_log",
          "service_log_entry");
  private static final int ATTEMPTS_MAX = 50;
  private static final Duration RETRY = Duration.ofMillis(100);
  // The schema or a table in it is there already, or is being made.
  private static final Set<String> MADE_BY_ANOTHER = Set.of("23505", "42P06", "42P07", "XX000");

  private final DataSource source;
  private String database = "PostgreSQL";

  private PostgresSchema(DataSource source) {
    this.source = source;
  }

  /// Makes the tables, or brings them up.
  ///
  /// @return the database, as a person would name it
  /// @throws StoreFailed if the database cannot be used
  public static String upgrade(DataSource source) {
    var schema = new PostgresSchema(source);
    try {
      schema.upgrade();
      return schema.database;
    } catch (SQLException e) {
      throw PostgresErrors.failed(schema.database, e);
    } catch (UnreadableData e) {
      throw PostgresErrors.failed(schema.database, e);
    }
  }

  private void upgrade() throws SQLException {
    // The usual start asks one question, and does not load the library.
    for (int attempt = 1; version() < SCRIPTS.size(); attempt++) {
      try {
        migrate();
      } catch (FlywayException e) {
        // Of two that begin at once, one may see half of what the other makes.
        if (attempt == ATTEMPTS_MAX || !mayPass(e)) throw failed(e);
        LockSupport.parkNanos(RETRY.toNanos());
      }
    }
  }

  private void migrate() {
    Flyway.configure(PostgresSchema.class.getClassLoader())
        .dataSource(source)
        .schemas(NAME)
        .defaultSchema(NAME)
        .createSchemas(true)
        .table(HISTORY)
        .resourceProvider(new Scripts())
        .javaMigrationClassProvider(List::of)
        .cleanDisabled(true)
        .load()
        .migrate();
  }

  private static boolean mayPass(FlywayException e) {
    return !(e.getCause() instanceof SQLException cause)
        || MADE_BY_ANOTHER.contains(String.valueOf(cause.getSQLState()));
  }

  private static UnreadableData failed(FlywayException e) throws SQLException {
    if (e.getCause() instanceof SQLException cause) throw cause;
    var why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return new UnreadableData("its tables cannot be made or brought up (" + why + ")", e);
  }

  /// The version that the tables have, 0 if there are none.
  private int version() throws SQLException {
    try (var connection = source.getConnection();
        var statement = connection.createStatement()) {
      database = named(connection);
      try (var known =
          statement.executeQuery("select to_regclass('%s.%s')".formatted(NAME, HISTORY))) {
        known.next();
        if (known.getString(1) == null) return 0;
      }
      var query =
          "select max(cast(version as integer)) from %s.%s where success".formatted(NAME, HISTORY);
      try (var newest = statement.executeQuery(query)) {
        newest.next();
        return checked(newest.getInt(1));
      }
    }
  }

  private static int checked(int version) {
    if (version <= SCRIPTS.size()) return version;
    throw new UnreadableData(
        "its schema has version %d and this program knows %d; use a newer Superstep"
            .formatted(version, SCRIPTS.size()));
  }

  /// Its address, without what may be secret.
  private static String named(Connection connection) throws SQLException {
    var url = connection.getMetaData().getURL();
    if (url == null) return "PostgreSQL";
    int end = url.indexOf('?');
    return "`" + (end < 0 ? url : url.substring(0, end)) + "`";
  }

  /// Outside of a transaction.
  public static void vacuum(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var table : GROWING) statement.execute("vacuum %s.%s".formatted(NAME, table));
    }
  }

  /// The scripts by name: a search of the class path would not find them in a module.
  private static final class Scripts implements ResourceProvider {
    @Override
    public @Nullable LoadableResource getResource(String name) {
      // It also asks for settings beside each script, of which there are none.
      return SCRIPTS.contains(name) ? new Script(name) : null;
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
      return SCRIPTS.stream()
          .filter(name -> name.startsWith(prefix))
          .filter(name -> List.of(suffixes).stream().anyMatch(name::endsWith))
          .<LoadableResource>map(Script::new)
          .toList();
    }
  }

  private static final class Script extends LoadableResource {
    private final String name;

    Script(String name) {
      this.name = name;
    }

    @Override
    public Reader read() {
      var stream = PostgresSchema.class.getResourceAsStream(name);
      if (stream == null) throw new IllegalStateException("resource `" + name + "` is missing");
      return new InputStreamReader(stream, StandardCharsets.UTF_8);
    }

    @Override
    public String getAbsolutePath() {
      return name;
    }

    @Override
    public String getAbsolutePathOnDisk() {
      return name;
    }

    @Override
    public String getFilename() {
      return name;
    }

    @Override
    public String getRelativePath() {
      return name;
    }
  }
}
