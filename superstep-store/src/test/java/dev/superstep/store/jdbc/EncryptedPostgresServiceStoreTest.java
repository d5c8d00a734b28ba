package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.EncryptedServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.ServiceStoreSuite;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("SV10")
final class EncryptedPostgresServiceStoreTest implements ServiceStoreSuite {
  private static final KeyRing RING = KeyRing.of("first", new byte[KeyRing.KEY_BYTES]);

  private final HikariDataSource pool = new HikariDataSource();

  @Override
  public ServiceStore fresh() {
    if (pool.getJdbcUrl() == null) {
      pool.setJdbcUrl(PostgresServer.shared().freshDatabase().url());
      pool.setMaximumPoolSize(12);
      pool.setConnectionTimeout(60_000);
    }
    return EncryptedServiceStore.over(PostgresServiceStore.on(pool), RING);
  }

  @Override
  public Optional<ServiceStore> another() {
    return Optional.of(fresh());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void the_tables_have_a_seal_and_who_has_no_keys_can_tell() {
    var secret = "{\"kwargs\":\"the patient's name\"}";
    try (var store = fresh();
        var plain = PostgresServiceStore.on(pool)) {
      var run = Document.of(DocumentKind.RUN, "a", Instant.EPOCH).body(Json.parse(secret));
      assertThat(store.<Boolean>write(in -> in.insert(run))).isTrue();

      var stored = plain.<Document>read(in -> in.find(DocumentKind.RUN, "a").orElseThrow());
      assertThat(stored.body().text()).doesNotContain("patient", "kwargs");
      assertThat(EncryptedServiceStore.isSealed(stored.body())).isTrue();
      assertThat(EncryptedServiceStore.isSealed(run.body())).isFalse();
    }
  }
}
