package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.ServiceStoreSuite;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class PostgresServiceStoreTest implements ServiceStoreSuite {
  private static final Duration LONG_WAIT = Duration.ofSeconds(60);

  private final HikariDataSource pool = new HikariDataSource();

  @Override
  public ServiceStore fresh() {
    if (pool.getJdbcUrl() == null) {
      pool.setJdbcUrl(PostgresServer.shared().freshDatabase().url());
      pool.setMaximumPoolSize(12);
      pool.setConnectionTimeout(60_000);
    }
    return PostgresServiceStore.on(pool);
  }

  @Override
  public Optional<ServiceStore> another() {
    return Optional.of(PostgresServiceStore.on(pool));
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void its_time_is_that_of_the_database() throws SQLException {
    try (var store = fresh()) {
      var before = databaseTime();
      var now = store.<Instant>write(ServiceTransaction::now);
      assertThat(now).isBetween(before, databaseTime());
    }
  }

  private Instant databaseTime() throws SQLException {
    var text = "select floor(extract(epoch from clock_timestamp()) * 1000000)";
    return Instant.EPOCH.plusNanos(1_000 * Long.parseLong(Postgres.text(pool, text)));
  }

  @Test
  void a_document_is_read_and_written_in_two_round_trips() {
    fresh().close();
    var trips = new AtomicInteger();
    var counted =
        Postgres.counted(
            pool,
            name -> {
              if (name.startsWith("execute") || name.equals("commit")) trips.incrementAndGet();
            });
    try (var store = PostgresServiceStore.on(counted)) {
      store.write(in -> in.insert(Document.of(DocumentKind.RUN, "a", in.now())));
      trips.set(0);
      store.write(in -> {
        in.lock("thread");
        var found = in.find(DocumentKind.RUN, "a").orElseThrow();
        in.signal("topic");
        return in.replace(found.in("running").updated(in.now()));
      });
      assertThat(trips).hasValue(2);
      trips.set(0);
      store.write(in -> in.append("log", List.of(Json.ofNull(), Json.ofNull())));
      assertThat(trips).hasValue(2);
      assertThat(store.<Long>read(in -> in.lastOffset("log"))).isEqualTo(2);
    }
  }

  @Test
  @Tag("T88")
  void it_works_again_when_its_server_does() throws InterruptedException {
    try (var server = PostgresServer.start(PostgresServer.Durability.RELAXED)) {
      var source = server.freshDatabase().dataSource();
      try (var store = PostgresServiceStore.on(source);
          var other = PostgresServiceStore.on(source);
          var watch = other.watch("topic")) {
        var document = Document.of(DocumentKind.RUN, "a", Instant.EPOCH);
        assertThat(store.<Boolean>write(in -> in.insert(document))).isTrue();
        server.stop();
        assertThatThrownBy(() -> store.read(ServiceTransaction::now))
            .isInstanceOf(StoreFailed.class)
            .hasMessageContaining("the server cannot be reached");
        assertThatThrownBy(() -> store.write(in -> in.replace(document.in("running"))))
            .isInstanceOf(StoreFailed.class);
        server.restart();
        assertThat(store.<Boolean>write(in -> in.find(DocumentKind.RUN, "a").isPresent())).isTrue();
        store.write(in -> {
          in.replace(document.in("success"));
          in.signal("topic");
          return true;
        });
        while (!isEnded(other)) assertThat(watch.await(LONG_WAIT)).isTrue();
        assertThat(isEnded(other)).isTrue();
      }
    }
  }

  private static boolean isEnded(ServiceStore store) {
    return store.read(
        in -> in.find(DocumentKind.RUN, "a").orElseThrow().status().equals("success"));
  }
}
