package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.testkit.StoreSuite;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteStoreTest implements StoreSuite {
  @TempDir Path folder;

  @Override
  public Store fresh(StoreOptions options) {
    return SqliteStore.open(file(), options);
  }

  @Override
  public Optional<Store> reopened(StoreOptions options) {
    return Optional.of(fresh(options));
  }

  @Test
  void items_survive_closing_the_store() {
    try (var store = SqliteStore.open(file())) {
      store.put(NOTES, "a", 1);
    }
    try (var store = SqliteStore.open(file())) {
      assertThat(store.get(NOTES, "a", Integer.class)).contains(1);
    }
  }

  @Test
  void one_file_holds_threads_and_items() {
    try (var runs = SqliteCheckpointer.open(file());
        var store = SqliteStore.open(file())) {
      store.put(NOTES, "a", 1);
      assertThat(runs.latest(dev.superstep.checkpoint.Lineage.of("t"))).isEmpty();
      assertThat(store.get(NOTES, "a", Integer.class)).contains(1);
    }
  }

  @Test
  void a_closed_store_says_so() {
    var store = SqliteStore.open(file());
    store.close();
    assertThatThrownBy(() -> store.put(NOTES, "a", 1))
        .isInstanceOf(StoreFailed.class)
        .hasMessageContaining("closed");
  }

  @Test
  void a_value_that_this_program_did_not_write_is_named() throws Exception {
    try (var store = SqliteStore.open(file())) {
      store.put(NOTES, "a", 1);
      try (var raw = DriverManager.getConnection("jdbc:sqlite:" + file());
          var change = raw.createStatement()) {
        change.executeUpdate("update item set value = '{broken'");
      }
      assertThatThrownBy(() -> store.get(NOTES, "a"))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("item `a` in `users/ann/notes`");
      assertThat(store.get(Namespace.of("other"), "a")).isEmpty();
    }
  }

  private Path file() {
    return folder.resolve("memory.db");
  }
}
