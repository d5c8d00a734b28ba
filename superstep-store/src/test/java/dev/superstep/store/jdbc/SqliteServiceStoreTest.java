package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import dev.superstep.testkit.ManualClock;
import dev.superstep.testkit.ServiceStoreSuite;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SqliteServiceStoreTest implements ServiceStoreSuite {
  @TempDir Path folder;

  @Override
  public ServiceStore fresh() {
    return SqliteServiceStore.open(file());
  }

  @Override
  public Optional<ServiceStore> another() {
    return Optional.of(fresh());
  }

  @Test
  void one_file_holds_threads_and_documents() {
    try (var runs = SqliteCheckpointer.open(file());
        var store = fresh()) {
      var document = Document.of(DocumentKind.RUN, "a", Instant.EPOCH);
      assertThat(store.<Boolean>write(in -> in.insert(document))).isTrue();
      assertThat(runs.latest(Lineage.of("t"))).isEmpty();
    }
    try (var store = fresh()) {
      assertThat(store.<Boolean>read(in -> in.find(DocumentKind.RUN, "a").isPresent())).isTrue();
    }
  }

  @Test
  void its_time_is_that_of_its_clock() {
    var clock = ManualClock.at("2026-01-02T03:04:05.123456789Z");
    try (var store = SqliteServiceStore.open(file(), clock)) {
      assertThat(store.<Instant>write(ServiceTransaction::now))
          .isEqualTo("2026-01-02T03:04:05.123456Z");
    }
  }

  @Test
  void a_closed_store_says_so() {
    var store = fresh();
    store.close();
    assertThatThrownBy(() -> store.read(ServiceTransaction::now))
        .isInstanceOf(StoreFailed.class)
        .hasMessageContaining("closed");
  }

  private Path file() {
    return folder.resolve("service.db");
  }
}
