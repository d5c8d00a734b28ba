package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.checkpoint.CannotDecrypt;
import dev.superstep.checkpoint.CannotDecrypt.Reason;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody who can write the file, but has no key, moves what is sealed from one thread to
/// another.
class MovedCiphertextsTest {
  private static final KeyRing RING = KeyRing.of("test", new byte[KeyRing.KEY_BYTES]);
  private static final Channel<String, String> PIN = Channel.latest("pin", String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  private static final List<String> DIGESTED =
      List.of(
          "lineage", "checkpoint", "value", "log", "log_item", "task", "step", "answer", "entry");

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("threads.db");
  }

  private EncryptedCheckpointer open() {
    return EncryptedCheckpointer.over(SqliteCheckpointer.open(file()), RING);
  }

  private static Graph graph() {
    return Graph.named("bank")
        .channels(PIN, LOG)
        .questions(WHAT)
        .node(
            "step",
            (state, context) ->
                Update.of(LOG, context.step("pin", String.class, () -> state.get(PIN))))
        .node("ask", (_, context) -> Update.of(LOG, context.interrupt(WHAT, "what now?")))
        .edge(START, "step")
        .edge(START, "ask")
        .edge("step", END)
        .edge("ask", END)
        .compile();
  }

  private static RunOptions on(EncryptedCheckpointer store, String thread) {
    return RunOptions.thread(thread).checkpoints(store).metadata("who", thread).journal();
  }

  /// Both wait for an answer, beside a task that has finished, with a step.
  private void begin() throws InterruptedException {
    try (var store = open()) {
      graph().invoke(Input.of(PIN, "1234").and(LOG, "hers"), on(store, "alice"));
      graph().invoke(Input.of(PIN, "9999").and(LOG, "his"), on(store, "bob"));
    }
  }

  private void sql(String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        var statement = connection.createStatement()) {
      for (var one : statements) assertThat(statement.executeUpdate(one)).as(one).isPositive();
      // A digest is no secret: who moves a value can make it right, or leave it out as format 1
      // did.
      for (var table : DIGESTED) statement.executeUpdate("update " + table + " set digest = null");
      statement.executeUpdate("update checkpoint set channels_digest = null, format = 1");
    }
  }

  private static void refused(Reason reason, ThrowingCallable call) {
    var error = catchThrowableOfType(CannotDecrypt.class, call);
    assertThat(error).isNotNull();
    assertThat(error.reason()).isEqualTo(reason);
  }

  private static String family(String thread) {
    return "(select family from thread where name = '" + thread + "')";
  }

  private static String lineage(String thread) {
    return "(select l.id from lineage l join thread t on l.thread = t.id where t.name = '"
        + thread
        + "')";
  }

  private static String moved(String table, String column, String where) {
    return "update "
        + table
        + " set "
        + column
        + " = (select h."
        + column
        + " from "
        + table
        + " h where h."
        + where.formatted("alice")
        + ") where "
        + where.formatted("bob");
  }

  @Test
  void an_item_of_one_thread_is_refused_in_another() throws Exception {
    begin();
    sql(
        "update log_item set json = (select i.json from log_item i join log g on i.log = g.id"
            + " where g.family = "
            + family("alice")
            + ") where log in (select id from log where family = "
            + family("bob")
            + ")");
    try (var store = open()) {
      refused(Reason.REFUSED, () -> graph().state(on(store, "bob")));
      refused(Reason.REFUSED, () -> graph().resume(Answers.none(), on(store, "bob")));
      assertThat(graph().state(on(store, "alice")).orElseThrow().state().get(LOG))
          .containsExactly("hers");
    }
  }

  @Test
  void a_value_in_the_same_place_of_another_thread_is_refused() throws Exception {
    begin();
    sql(
        "update checkpoint set channels = (select c.channels from checkpoint c where c.lineage = "
            + lineage("alice")
            + ") where lineage = "
            + lineage("bob"));
    try (var store = open()) {
      refused(Reason.REFUSED, () -> graph().state(on(store, "bob")));
    }
  }

  @Test
  void steps_and_results_of_one_thread_are_refused_in_another() throws Exception {
    begin();
    sql(
        "update step set task = (select s.task from step s where s.lineage = "
            + lineage("alice")
            + "), json = (select s.json from step s where s.lineage = "
            + lineage("alice")
            + ") where lineage = "
            + lineage("bob"));
    try (var store = open()) {
      var bob = Lineage.of("bob");
      var at = store.latest(bob).orElseThrow().checkpoint().id();
      refused(Reason.REFUSED, () -> store.steps(bob, at));
      assertThat(store.tasks(bob, at)).hasSize(2);
    }
    sql(
        "delete from step where lineage = " + lineage("bob"),
        "delete from task where lineage = " + lineage("bob"),
        "update task set lineage = " + lineage("bob") + " where lineage = " + lineage("alice"));
    try (var store = open()) {
      var alice = store.latest(Lineage.of("alice")).orElseThrow().checkpoint().id();
      refused(Reason.REFUSED, () -> store.tasks(Lineage.of("bob"), alice));
    }
  }

  @Test
  void events_of_one_thread_are_refused_in_another() throws Exception {
    begin();
    sql(
        "delete from entry where thread = (select id from thread where name = 'bob')",
        "update entry set thread = (select id from thread where name = 'bob') where thread ="
            + " (select id from thread where name = 'alice')");
    try (var store = open()) {
      refused(Reason.REFUSED, () -> store.entries("bob", 0, 10, EntryFilter.all()));
    }
  }

  @Test
  void the_family_of_a_thread_cannot_be_forged_without_the_key() throws Exception {
    begin();
    sql(moved("thread", "binding", "name = '%s'"));
    try (var store = open()) {
      refused(Reason.REFUSED, () -> graph().state(on(store, "bob")));
    }
    sql("update thread set binding = null where name = 'bob'");
    try (var store = open()) {
      refused(Reason.REFUSED, () -> graph().state(on(store, "bob")));
    }
  }

  @Test
  void forks_and_copies_read_shared_values_and_continue() throws Exception {
    begin();
    try (var store = open()) {
      var threads = Threads.in(store);
      var newest = store.latest(Lineage.of("alice")).orElseThrow().checkpoint().id();
      threads.fork("alice", newest, "fork");
      threads.copy("alice", "copy");
      threads.rewind("alice", newest);
    }
    try (var store = open()) {
      for (var thread : List.of("alice", "fork", "copy")) {
        assertThat(graph().resume(Answers.none(), on(store, thread)))
            .isInstanceOf(Outcome.Interrupted.class);
        var end = graph().resume(Answers.to(WHAT, "done"), on(store, thread));
        assertThat(((Outcome.Completed) end).state().get(LOG))
            .containsExactly("hers", "1234", "done");
      }
      Threads.in(store).delete("alice");
      Threads.in(store).copy("fork", "alice");
      assertThat(graph().state(on(store, "alice")).orElseThrow().state().get(LOG)).hasSize(3);
      assertThat(store.threads(ThreadQuery.newest(9))).hasSize(4);
    }
  }

  /// From before values were bound to their thread.
  private String old(String query) throws Exception {
    var copy = folder.resolve("old.db");
    Files.write(copy, fixture());
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + copy);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      return rows.getString(1);
    }
  }

  private static byte[] fixture() throws IOException {
    var name = "fixtures/2026-11-23/encrypted.db";
    try (var in = MovedCiphertextsTest.class.getClassLoader().getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    }
  }

  @Test
  void a_value_of_the_old_format_is_refused_in_a_newer_thread() throws Exception {
    begin();
    var json = old("select json from log_item limit 1");
    assertThat(json).startsWith("\"sealed1:");
    sql(
        "update log_item set json = '"
            + json
            + "' where log in (select id from log where family = "
            + family("bob")
            + ")");
    try (var store = open()) {
      refused(Reason.UNBOUND, () -> graph().state(on(store, "bob")));
    }
  }

  @Test
  void old_values_are_read_in_old_threads_unless_they_are_refused() throws Exception {
    Files.write(file(), fixture());
    var ring =
        KeyRing.of(
            "fixtures",
            "fixtures of the test kit, no secret".substring(0, 32).getBytes("US-ASCII"));
    try (var store = EncryptedCheckpointer.over(SqliteCheckpointer.open(file()), ring)) {
      assertThat(store.latest(Lineage.of("asking"))).isPresent();
      refused(Reason.UNBOUND, () -> store.boundOnly().latest(Lineage.of("asking")));
      refused(Reason.UNBOUND, () -> store.boundOnly().entries("asking", 0, 9, EntryFilter.all()));
    }
  }
}
