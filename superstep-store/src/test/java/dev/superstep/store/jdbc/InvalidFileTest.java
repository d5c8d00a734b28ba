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
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreDamaged;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InvalidFileTest {
  private static final List<String> DIGESTED =
      List.of("lineage", "channel", "value", "log", "log_item", "task", "step", "answer", "entry");

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("runs.db");
  }

  private AbstractThrowableAssert<?, ?> openFails() {
    return assertThatThrownBy(() -> SqliteCheckpointer.open(file).close())
        .isInstanceOf(StoreFailed.class)
        .hasMessageStartingWith("The store `" + file + "` cannot be opened: ")
        .hasMessageEndingWith(".");
  }

  private AbstractThrowableAssert<?, ?> fails(ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(StoreFailed.class)
        .hasMessageStartingWith("The store `" + file + "` failed: ")
        .hasMessageEndingWith(".");
  }

  private AbstractThrowableAssert<?, ?> isDamaged(ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOf(StoreDamaged.class)
        .hasMessageStartingWith("The store `" + file + "` is damaged: ")
        .hasMessageContaining("restore a copy or try `sqlite3 FILE .recover`");
  }

  /// As a program wrote them that knew no digests.
  private void asOfFormat1() throws SQLException {
    sql("update checkpoint set format = 1, digest = null, channels_digest = null");
    for (var table : DIGESTED) sql("update " + table + " set digest = null");
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
    openFails().hasMessageContaining("version 7 and this program knows 6; use a newer Superstep");
  }

  @Test
  void an_older_schema_is_migrated_with_its_threads() throws Exception {
    twoCheckpoints();
    // As it was before there were digests, and before there were items.
    asOfFormat1();
    for (var table : DIGESTED) sql("alter table " + table + " drop column digest");
    sql(
        "alter table checkpoint drop column digest",
        "alter table checkpoint drop column channels_digest",
        "drop table item",
        "drop table item_version",
        "drop index lineage_newest",
        "create index lineage_newest on lineage (head) where namespace = ''",
        "alter table thread drop column process",
        "alter table thread drop column binding",
        "alter table checkpoint drop column memories",
        "alter table checkpoint drop column generation",
        "drop table identity",
        "drop table blob",
        "create table family (id integer primary key) strict",
        "insert into family (id) values (1), (90)",
        "drop table service_document",
        "drop table service_log_entry",
        "drop table service_log",
        "drop table service_signal",
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
    sql("update checkpoint set format = 9");
    try (var store = SqliteCheckpointer.open(file)) {
      fails(() -> store.latest(LINEAGE))
          .hasMessageContaining("format 9 and this program knows 2; use a newer Superstep");
      fails(() -> store.page(LINEAGE, Optional.empty(), 9)).hasMessageContaining("format 9");
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
    isDamaged(
            () -> {
              try (var store = SqliteCheckpointer.open(file)) {
                store.latest(LINEAGE);
              }
            })
        .hasMessageContaining("SQLite finds its pages damaged");
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
    asOfFormat1();
    sql(tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.latest(LINEAGE))
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
        "update checkpoint set format = 0",
        "delete from log_item where idx = 0",
        "delete from value",
      })
  void inconsistent_rows_are_an_error_that_names_thread_and_checkpoint(String tampering)
      throws Exception {
    twoCheckpoints();
    asOfFormat1();
    sql("pragma foreign_keys=off", tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.latest(LINEAGE))
          .hasMessageContaining("checkpoint `" + Commits.id(1) + "` of thread `thread`");
    }
  }

  @Test
  void bad_tasks_and_answers_are_errors() throws Exception {
    twoCheckpoints();
    asOfFormat1();
    sql("update task set \"end\" = '{\"type\":\"Exploit\"}'", "update answer set json = 'x'");
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.tasks(LINEAGE, Commits.id(1))).hasCauseInstanceOf(MalformedJson.class);
      isDamaged(() -> store.answers(LINEAGE, Commits.id(1)))
          .hasCauseInstanceOf(MalformedJson.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update value set json = replace(json, 'one', 'two')",
        "update value set json = ' ' || json",
        "update log_item set json = '\"three\"' where idx = 0",
        "update log_item set idx = 1 - idx + 10; update log_item set idx = idx - 10",
        "update log set base_length = 1",
        "update checkpoint set body = replace(body, '{}', '{\"a\":\"b\"}')",
        "update checkpoint set step = step + 1",
        "update checkpoint set source = 'FORK'",
        "update checkpoint set parent = 'nobody'",
        "update checkpoint set at = '2031-01-01T00:00:00Z'",
        "update checkpoint set taken_over = '[]'",
        "update checkpoint set channels = replace(channels, ',1,', ',2,')",
        "update checkpoint set digest = null",
        "update checkpoint set digest = null, format = 1",
        "update lineage set head = head - 1",
        "update lineage set digest = null",
        "update lineage set head = null",
        "update channel set name = 'b' where name = 'a'",
        "update run set name = 'another'",
        "update graph set hash = 'another'",
      })
  void a_change_that_could_be_meant_is_damage(String tampering) throws Exception {
    twoCheckpoints();
    sql("pragma foreign_keys=off");
    for (var one : tampering.split(";")) sql(one);
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.latest(LINEAGE)).hasMessageContaining("of thread `thread`");
      isDamaged(() -> store.threadRecord(LINEAGE));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "update task set node = 'other'",
        "update task set finished = 0",
        "update task set task = 'u'",
        "update answer set json = '\"two\"'",
        "update answer set interrupt = 'r'",
      })
  void a_change_of_what_tasks_did_is_damage(String tampering) throws Exception {
    twoCheckpoints();
    sql(tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.threadRecord(LINEAGE))
          .hasMessageContaining("checkpoint `" + Commits.id(1) + "` of thread `thread`");
    }
  }

  @Test
  void no_fork_begins_with_references_that_are_damaged() throws Exception {
    twoCheckpoints();
    sql("update checkpoint set channels = replace(channels, ',1,', ',2,')");
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = store.acquire("new", "the test", Duration.ofHours(1));
      var made = nth(7).checkpoint();
      var fork = new Fork(LINEAGE, Commits.id(1), Lineage.of("new"), made, List.of());
      isDamaged(() -> store.fork(lease, fork)).hasMessageContaining(Commits.id(1));
    }
  }

  @Test
  void a_newest_checkpoint_that_is_missing_is_an_error_and_not_an_empty_thread() throws Exception {
    twoCheckpoints();
    sql("pragma foreign_keys=off", "update lineage set head = 99");
    try (var store = SqliteCheckpointer.open(file)) {
      var missing = "the newest checkpoint of thread `thread` is missing";
      isDamaged(() -> store.latest(LINEAGE)).hasMessageContaining(missing);
      var lease = new Lease("thread", "the test", 1);
      isDamaged(() -> store.commit(lease, nth(0))).hasMessageContaining(missing);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update entry set json = '{'             | true
          update entry set path = '[1'            | true
          update entry set at = 'noon'            | true
          update entry set json = 'tru\\u0065'    | true
          update entry set json = '{'             | false
          update entry set json = '{}'            | false
          update entry set kind = 'another'       | false
          update entry set at = '2031-01-01T00:00:00Z' | false
          """)
  void a_bad_entry_is_an_error_that_names_thread_and_offset(String tampering, boolean isOld)
      throws Exception {
    twoCheckpoints();
    if (isOld) asOfFormat1();
    sql(tampering);
    try (var store = SqliteCheckpointer.open(file)) {
      isDamaged(() -> store.entries("thread", 0, 9, EntryFilter.all()))
          .hasMessageContaining("entry 1 of the journal of thread `thread` cannot be read");
    }
  }

  @Test
  void a_full_disk_is_reported_and_saved_data_stays() {
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
    var plain = Files.createFile(file);
    file = file.resolve("inside/runs.db");
    openFails()
        .hasMessageEndingWith("`" + plain + "` is a file and no folder; choose another path.");
  }

  @Test
  void a_folder_is_not_a_store() throws IOException {
    Files.createDirectory(file);
    openFails().hasMessageEndingWith("it is a folder; name a file in it.");
  }

  @Test
  void a_read_only_folder_is_reported() throws IOException {
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
      for (var name : new String[] {"runs.db", "runs.db-wal", "runs.db-shm", "runs.db-newest"}) {
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
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder(name, name + "-newest");
    var survives = SqliteOptions.defaults().durability(SqliteCheckpointer.Durability.POWER_LOSS);
    try (var store = SqliteCheckpointer.open(file, survives)) {
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(1);
    }
  }
}
