package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.state.ConversationStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What is kept of sessions and conversations, in memory and in SQLite.
@Tag("C23")
@Tag("C26")
final class SessionsTest {
  /// The long form keeps 1,000.
  private static final int CONVERSATIONS = Integer.getInteger("superstep.conversations", 20);

  private static final int PAGE = 8;

  @TempDir Path folder;

  enum Kind {
    MEMORY,
    SQLITE
  }

  private Checkpointer threads(Kind kind) {
    return switch (kind) {
      case MEMORY -> new InMemoryCheckpointer();
      case SQLITE -> SqliteCheckpointer.open(folder.resolve("threads.db"));
    };
  }

  private Store store(Kind kind) {
    return switch (kind) {
      case MEMORY -> InMemoryStore.open();
      case SQLITE -> SqliteStore.open(folder.resolve("sessions.db"));
    };
  }

  private Scene scene(Checkpointer threads, Store store) {
    var scene = Scene.in(folder);
    scene.model =
        dev.superstep.model.ScriptedModel.by(
            request -> dev.superstep.model.ScriptedModel.text(Scene.plan("Print the word")));
    scene.threads = threads;
    scene.store = store;
    return scene;
  }

  @ParameterizedTest
  @EnumSource
  void many_conversations_are_listed_page_by_page_by_many_readers(Kind kind) throws Exception {
    try (var threads = threads(kind);
        var store = store(kind)) {
      var scene = scene(threads, store);
      var session = scene.session();
      var ids = new ArrayList<String>();
      for (int i = 0; i < CONVERSATIONS; i++) {
        var conversation = session.ask("Print word number " + i);
        conversation.advance();
        ids.add(conversation.id());
      }
      Callable<ArrayList<String>> reader =
          () -> {
            var own = scene.terminal().open(session.record().id(), scene.environment).orElseThrow();
            var seen = new ArrayList<String>();
            var last = Optional.<String>empty();
            while (true) {
              var page = own.conversations(last, PAGE);
              page.forEach(view -> seen.add(view.info().id()));
              if (page.size() < PAGE) return seen;
              last = Optional.of(page.getLast().info().id());
            }
          };
      try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
        var all = new ArrayList<java.util.concurrent.Future<ArrayList<String>>>();
        for (int i = 0; i < 4; i++) all.add(readers.submit(reader));
        for (var each : all) assertThat(each.get()).isEqualTo(ids.reversed());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void pruning_keeps_the_newest_and_whatever_is_at_work_or_waits(Kind kind) throws Exception {
    try (var threads = threads(kind);
        var store = store(kind)) {
      var scene = scene(threads, store);
      var terminal = scene.terminal();
      var session = terminal.open(folder, scene.environment);
      var waits = session.ask("Wait for me");
      waits.advance();
      for (int i = 0; i < Terminal.CONVERSATIONS_MAX + 2; i++) session.ask("Never begun");
      var ended = session.ask("Ended");
      ended.advance();
      ended.abort();
      assertThat(terminal.prune()).isEqualTo(3);
      assertThat(session.record().conversations())
          .hasSize(Terminal.CONVERSATIONS_MAX + 1)
          .contains(waits.id(), ended.id());

      scene.clock.advance(Terminal.RETENTION.plus(Duration.ofDays(1)));
      assertThat(terminal.prune()).isEqualTo(Terminal.CONVERSATIONS_MAX);
      assertThat(session.record().conversations()).containsExactly(waits.id());
      assertThat(waits.view().status()).isEqualTo(ConversationStatus.READY);
      assertThat(waits.abort().status()).isEqualTo(ConversationStatus.ABORTED);
      scene.clock.advance(Terminal.RETENTION.plus(Duration.ofDays(1)));
      assertThat(terminal.prune()).isEqualTo(1);
      assertThat(terminal.sessions()).isEmpty();
    }
  }

  @Test
  void the_files_of_a_store_are_read_by_their_owner_alone_whatever_the_umask() throws Exception {
    assertThat(program("umask 000; exec \"$@\"")).contains("exit 0");
    for (var name : new String[] {"threads.db", "sessions.db", "transcript.jsonl"}) {
      var mode = Files.getPosixFilePermissions(folder.resolve(name));
      assertThat(PosixFilePermissions.toString(mode)).as(name).isEqualTo("rw-------");
    }
  }

  @Test
  void a_full_disk_stops_a_conversation_with_a_reason_and_loses_nothing() throws Exception {
    // A file may not grow beyond this: the first run stops somewhere on its way.
    var full = program("JDK_JAVA_OPTIONS=-Dsuperstep.disk-full=true exec \"$@\"");
    assertThat(full).contains("exit 1").containsIgnoringCase("full");
    assertThat(full).doesNotContain("status FINISHED");
    var before = KilledProgram.lines(folder, "effects").size();
    assertThat(before).isLessThan(3);
    assertThat(program("exec \"$@\"")).contains("status FINISHED", "exit 0");
    assertThat(KilledProgram.lines(folder, "effects")).hasSize(3);
  }

  /// Runs a conversation in a process that a shell starts, and returns what it said.
  private String program(String shell) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                "sh",
                "-c",
                shell,
                "sh",
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProgram.class.getName(),
                folder.toString(),
                "0")
            .redirectErrorStream(true)
            .start();
    try (var reader = process.inputReader()) {
      var said = String.join("\n", reader.lines().toList());
      return said + "\nexit " + process.waitFor();
    }
  }

  @Test
  void a_store_of_a_newer_version_is_refused_and_stays_as_it_is() throws Exception {
    for (var name : new String[] {"threads.db", "sessions.db"}) {
      var file = folder.resolve(name);
      if (name.startsWith("threads")) SqliteCheckpointer.open(file).close();
      else SqliteStore.open(file).close();
      newer(file);
      var before = Files.readAllBytes(file);
      org.assertj.core.api.Assertions.assertThatThrownBy(
              () -> {
                if (name.startsWith("threads")) SqliteCheckpointer.open(file).close();
                else SqliteStore.open(file).close();
              })
          .as(name)
          .hasMessageContaining("newer");
      assertThat(Files.readAllBytes(file)).as(name).isEqualTo(before);
    }
  }

  /// Raises the number of the schema, wherever the store keeps it.
  private static void newer(Path file) throws Exception {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = connection.createStatement()) {
      int version;
      try (var rows = statement.executeQuery("PRAGMA user_version")) {
        version = rows.getInt(1);
      }
      statement.execute("PRAGMA user_version = " + (version + 1000));
    }
  }
}
