package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.CannotDecrypt;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.EncryptedServiceStore;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import dev.superstep.testkit.ServiceStoreSuite;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("SV10")
final class EncryptedServiceStoreTest implements ServiceStoreSuite {
  private static final KeyRing RING = KeyRing.of("first", key(1));
  private static final String SECRET = "the patient's name";

  @TempDir Path folder;

  private static byte[] key(int content) {
    var key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) content);
    return key;
  }

  @Override
  public ServiceStore fresh() {
    return open(RING);
  }

  @Override
  public Optional<ServiceStore> another() {
    return Optional.of(fresh());
  }

  private ServiceStore open(KeyRing ring) {
    return EncryptedServiceStore.over(SqliteServiceStore.open(file()), ring);
  }

  private Path file() {
    return folder.resolve("service.db");
  }

  private static Document secret(String id) {
    return Document.of(DocumentKind.RUN, id, Instant.EPOCH)
        .labelled("assistant")
        .metadata(Json.parse("{\"owner\":\"ann\"}"))
        .body(Json.parse("{\"kwargs\":\"" + SECRET + "\"}"));
  }

  private void keep() {
    try (var store = fresh()) {
      store.<Boolean>write(in -> {
        in.insert(secret("a"));
        in.insert(secret("b"));
        in.append("run/a", List.of(Json.of(SECRET), Json.of(SECRET + ", again")));
        return true;
      });
    }
  }

  @Test
  void no_file_has_what_was_said_and_documents_are_found_all_the_same() throws Exception {
    keep();
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) {
        var text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain("patient", "kwargs");
      }
    }
    var query =
        DocumentQuery.of(DocumentKind.RUN)
            .labelled("assistant")
            .having(Json.parse("{\"owner\":\"ann\"}"));
    try (var store = fresh()) {
      var found = store.<List<Document>>read(in -> in.search(query));
      assertThat(found).hasSize(2);
      assertThat(found.getFirst().body().text()).contains(SECRET);
    }
  }

  @Test
  void a_changed_key_reads_what_the_one_before_wrote_and_another_one_does_not() {
    keep();
    try (var store = open(RING.rotated("second", key(2)))) {
      assertThat(entries(store)).hasSize(2);
    }
    try (var store = open(KeyRing.of("second", key(2)))) {
      assertThatThrownBy(() -> entries(store))
          .isInstanceOf(CannotDecrypt.class)
          .hasMessageContaining("run/a")
          .hasMessageContaining("it needs the key `first`");
    }
  }

  private static List<LogEntry> entries(ServiceStore store) {
    return store.read(in -> in.entries("run/a", 0, 10));
  }

  @Test
  void what_was_moved_is_refused() throws Exception {
    keep();
    change(
        "update service_log_entry"
            + " set value = (select value from service_log_entry where number = 1)");
    change("update service_document set body = (select body from service_document where id = 'a')");
    try (var store = fresh()) {
      assertThatThrownBy(() -> entries(store)).isInstanceOf(CannotDecrypt.class);
      assertThat(store.<Boolean>read(in -> in.find(DocumentKind.RUN, "a").isPresent())).isTrue();
      assertThatThrownBy(() -> store.read(in -> in.find(DocumentKind.RUN, "b")))
          .isInstanceOf(CannotDecrypt.class)
          .hasMessageContaining("RUN / b");
    }
  }

  private void change(String sql) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        var statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }
}
