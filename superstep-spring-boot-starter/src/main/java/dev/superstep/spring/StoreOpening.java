package dev.superstep.spring;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import java.sql.SQLException;
import java.util.Locale;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Decides which store an application has: a file before a database, and memory only if asked.
///
/// @param sources gives the DataSource of the application, which is not made unless it is used
record StoreOpening(
    SuperstepProperties.StoreSettings settings, Supplier<@Nullable DataSource> sources) {
  Checkpointer checkpointer() {
    if (isInMemory()) return new InMemoryCheckpointer();
    var file = settings.file();
    return file != null ? SqliteCheckpointer.open(file) : PostgresCheckpointer.on(postgres());
  }

  Store memory() {
    if (isInMemory()) return InMemoryStore.open();
    var file = settings.file();
    return file != null ? SqliteStore.open(file) : PostgresStore.on(postgres());
  }

  private boolean isInMemory() {
    if (settings.inMemory() && settings.file() != null) throw StoreMissing.contradiction();
    return settings.inMemory();
  }

  private DataSource postgres() {
    var source = sources.get();
    if (source == null) throw StoreMissing.nowhere();
    var product = product(source);
    if (!product.toLowerCase(Locale.ROOT).contains("postgres")) {
      throw StoreMissing.unknownDatabase(product);
    }
    return source;
  }

  private static String product(DataSource source) {
    try (var connection = source.getConnection()) {
      return connection.getMetaData().getDatabaseProductName();
    } catch (SQLException e) {
      throw new StoreFailed("the DataSource bean", "the database cannot be reached", e);
    }
  }
}
