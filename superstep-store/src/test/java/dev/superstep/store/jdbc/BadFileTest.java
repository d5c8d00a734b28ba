package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.nth;
import static dev.superstep.store.jdbc.Commits.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.Namespace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BadFileTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("runs.db");
  }

  private AbstractThrowableAssert<?, ?> openFails() {
    return fails(() -> SqliteCheckpointer.open(file).close());
  }

  private AbstractThrowableAssert<?, ?> fails(ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(StoreFailed.class)
        .hasMessageStartingWith("The store `" + file + "` failed: ")
        .hasMessageEndingWith(".");
  }

  private void sql(String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      for (var one : statements) statement.executeUpdate(one);
    }
  }

  private void twoCheckpoints() {
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      var one = Json.string("one");
      var large = Json.string("one".repeat(20));
      store.commit(lease, nth(0, whole("a", 1, large), appended("list", 0, one)));
      store.commit(lease, nth(1, appended("list", 1, Json.string("two"))));
      store.saveTask(lease, LINEAGE, Commits.id(1), Commits.finished("t"), List.of());
      store.append(lease, List.of(Commits.entry(one)));
      store.answer(lease, LINEAGE, Commits.id(1), List.of(new Answer("q", one)), List.of());
    }
  }

  @Test
  void a_file_that_is_no_database_is_refused() throws IOException {
    Files.writeString(file, "Dear diary, ".repeat(1_000));
    openFails().hasMessageContaining("not an SQLite database");
    assertThat(Files.readString(file)).startsWith("Dear diary");
  }

  @Test
  void the_database_of_another_program_is_refused_and_left_alone() throws Exception {
    sql("create table photo (id integer primary key)");
    var before = Files.readAllBytes(file);
    openFails().hasMessageContaining("a database of another program");
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void a_newer_schema_is_refused() throws Exception {
    twoCheckpoints();
    sql("pragma user_version=7");
    openFails().hasMessageContaining("version 7 and this program knows 4; use a newer Superstep");
  }

  @Test
  void an_older_schema_is_brought_up_and_its_threads_are_kept() throws Exception {
    twoCheckpoints();
    // As it was before there were items.
    sql(
        "drop table item",
        "drop table item_version",
        "drop index lineage_newest",
        "create index lineage_newest on lineage (head) where namespace = ''",
        "create table family (id integer primary key) strict",
        "insert into family (id) values (1), (90)",
        "delete from migration where version > 1",
        "pragma user_version=1");
    try (var items = SqliteStore.open(file)) {
      items.put(Namespace.of("here"), "a", 1);
    }
    try (var store = SqliteCheckpointer.open(file)) {
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(2);
      assertThat(store.latest(LINEAGE).orElseThrow().channels()).hasSize(2);
      // Its token names a family, and no family of before may be meant.
      assertThat(store.acquire("new", "the test", Duration.ofHours(1)).token()).isEqualTo(91);
    }
  }

  @Test
  void a_checkpoint_of_a_newer_format_says_to_update() throws Exception {
    twoCheckpoints();
    sql("update checkpoint set format = 2");
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.latest(LINEAGE))
          .hasMessageContaining("format 2 and this program knows 1; use a newer Superstep");
      fails(() -> store.page(LINEAGE, Optional.empty(), 9)).hasMessageContaining("format 2");
    }
  }

  @Test
  void a_schema_from_other_scripts_is_refused() throws Exception {
    twoCheckpoints();
    sql("update migration set checksum = 1");
    openFails().hasMessageContaining("made by other scripts");
  }

  @Test
  void a_damaged_page_is_found() throws IOException {
    twoCheckpoints();
    try (var bytes = FileChannel.open(file, StandardOpenOption.WRITE)) {
      // Keeps the first page, which has the schema.
      for (long at = 4096; at < bytes.size(); at += 512) {
        bytes.write(ByteBuffer.wrap(new byte[] {-1, -1, -1, -1}), at);
      }
    }
    fails(
            () -> {
              try (var store = SqliteCheckpointer.open(file)) {
                store.latest(LINEAGE);
              }
            })
        .hasMessageContaining("the file is damaged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update value set json = '{\"a\":'",
        "update log_item set json = '[1' where idx = 0",
        "update checkpoint set body = '{}'",
        "update checkpoint set body = replace(body, '\"next\":[]',"
            + " '\"next\":[{\"@class\":\"X\"}]')",
        "update checkpoint set channels = 'x'",
      })
  void bad_json_is_an_error_that_names_thread_and_checkpoint(String tampering) throws Exception {
    twoCheckpoints();
    sql(tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.latest(LINEAGE))
          .hasMessageContaining("checkpoint `" + Commits.id(1) + "` of thread `thread`")
          .hasCauseInstanceOf(MalformedJson.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update checkpoint set channels = '[1,2,3]'",
        "update checkpoint set channels = '[1,2,3,null]'",
        "update checkpoint set channels = '[1,2,3,-7]'",
        "update checkpoint set channels = '[99,1,1,-1]'",
        "update checkpoint set channels = '[1,1,99,-1]'",
        "update checkpoint set channels = '[1,1,99,5]'",
        "update checkpoint set channels = '[1,1,1,2147483647]'",
        "update checkpoint set channels = '[1,1,\"{\",-3]'",
        "update checkpoint set channels = '[1,1,1,-3]'",
        "update checkpoint set channels = '[1,1,\"1\",-1]'",
        "update checkpoint set channels = '[1,1.5,1,-1]'",
        "update checkpoint set source = 'MAGIC'",
        "update log set base = id, base_length = 1",
        "update checkpoint set at = 'noon'",
        "update checkpoint set format = 99",
        "update checkpoint set format = 0",
        "delete from log_item where idx = 0",
        "delete from value",
      })
  void inconsistent_rows_are_an_error_that_names_thread_and_checkpoint(String tampering)
      throws Exception {
    twoCheckpoints();
    sql("pragma foreign_keys=off", tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.latest(LINEAGE))
          .hasMessageContaining("checkpoint `" + Commits.id(1) + "` of thread `thread`");
    }
  }

  @Test
  void bad_tasks_and_answers_are_errors() throws Exception {
    twoCheckpoints();
    sql("update task set \"end\" = '{\"type\":\"Exploit\"}'", "update answer set json = 'x'");
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.tasks(LINEAGE, Commits.id(1))).hasCauseInstanceOf(MalformedJson.class);
      fails(() -> store.answers(LINEAGE, Commits.id(1))).hasCauseInstanceOf(MalformedJson.class);
    }
  }

  @Test
  void a_newest_checkpoint_that_is_missing_is_an_error_and_not_an_empty_thread() throws Exception {
    twoCheckpoints();
    sql("pragma foreign_keys=off", "update lineage set head = 99");
    try (var store = SqliteCheckpointer.open(file)) {
      var missing = "the newest checkpoint of thread `thread` is missing";
      fails(() -> store.latest(LINEAGE)).hasMessageContaining(missing);
      var lease = new Lease("thread", "the test", 1);
      fails(() -> store.commit(lease, nth(0))).hasMessageContaining(missing);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update entry set json = '{'",
        "update entry set path = '[1'",
        "update entry set at = 'noon'",
      })
  void a_bad_entry_is_an_error_that_names_the_thread(String tampering) throws Exception {
    twoCheckpoints();
    sql(tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.entries("thread", 0, 9, EntryFilter.all()))
          .hasMessageContaining("the journal of thread `thread` cannot be read");
    }
  }

  @Test
  void a_full_disk_is_said_to_be_full_and_what_was_saved_stays() {
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0, whole("a", 1, Json.string("small"))));
      store.write(sql -> {
        sql.script("pragma max_page_count=40");
        return 0;
      });
      var large = Json.string("x".repeat(1_000_000));
      fails(() -> store.commit(lease, nth(1, whole("a", 2, large))))
          .hasMessageContaining("the disk is full");
      assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id()).isEqualTo(Commits.id(0));
      assertThat(store.commit(lease, nth(1, whole("a", 2, Json.string("small"))))).isTrue();
    }
  }

  @Test
  void a_path_through_a_file_cannot_be_made() throws IOException {
    Files.createFile(file);
    file = file.resolve("inside/runs.db");
    openFails().hasMessageContaining("the file cannot be made");
  }

  @Test
  void a_folder_is_not_a_store() throws IOException {
    Files.createDirectory(file);
    openFails().hasMessageContaining("cannot be written; check their permissions");
  }

  @Test
  void a_read_only_folder_is_said_to_be() throws IOException {
    var closed = Files.createDirectory(folder.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    // Nothing is closed to root.
    assumeThat(Files.isWritable(closed)).isFalse();
    file = closed.resolve("runs.db");
    openFails().hasMessageContaining("check the path and its permissions");
  }

  @Test
  void the_file_is_for_its_owner_only() throws IOException {
    file = folder.resolve("deep/er/runs.db");
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0));
      for (var name : new String[] {"runs.db", "runs.db-wal", "runs.db-shm"}) {
        var permissions = Files.getPosixFilePermissions(file.resolveSibling(name));
        assertThat(PosixFilePermissions.toString(permissions)).as(name).isEqualTo("rw-------");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a?mode=memory.db", "mit Leerzeichen.db", "50%25#x.db", "ünï.db"})
  void any_file_name_is_that_file(String name) {
    file = folder.resolve(name);
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0));
    }
    assertThat(folder.toFile().list()).containsExactly(name);
    try (var store = SqliteCheckpointer.open(file, SqliteCheckpointer.Durability.POWER_LOSS)) {
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(1);
    }
  }
}
