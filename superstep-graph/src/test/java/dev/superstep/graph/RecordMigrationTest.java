package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.json.Json;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.topology.TopologyDiff;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Threads that hold records whose class has changed since.
final class RecordMigrationTest {
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  /// As the program had it when the thread was saved.
  static final class Before {
    record Ticket(String title) {}

    static final Channel<List<Ticket>, Ticket> TICKETS = Channel.append("tickets", Ticket.class);
  }

  /// With one component more.
  static final class After {
    record Ticket(String title, int priority) {}

    static final Channel<List<Ticket>, Ticket> TICKETS = Channel.append("tickets", Ticket.class);
  }

  /// With one that may be absent.
  static final class Wider {
    record Ticket(String title, Optional<String> owner) {}

    static final Channel<List<Ticket>, Ticket> TICKETS = Channel.append("tickets", Ticket.class);
  }

  private final InMemoryCheckpointer inner = new InMemoryCheckpointer();
  private final AtomicInteger ran = new AtomicInteger();

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread("t").checkpoints(store);
  }

  /// Sends two tickets, one to a deferred node; beside a question, one ticket was written.
  private <T> Graph graph(Class<T> type, Channel<List<T>, T> tickets, Function<String, T> make) {
    var newest = Channel.latest("newest", type);
    var each = Target.of("each", type);
    var last = Target.of("last", type);
    return Graph.named("desk")
        .channels(tickets, newest, LOG)
        .questions(WHAT)
        .node(
            "begin",
            (_, _) -> {
              ran.incrementAndGet();
              return Update.of(tickets, make.apply("one")).and(newest, make.apply("one"));
            })
        .node("ask", (_, context) -> Update.of(LOG, context.interrupt(WHAT, "which?")))
        .node(
            "beside",
            (_, _) -> {
              ran.incrementAndGet();
              return Update.of(tickets, make.apply("two"));
            })
        .node(each, (ticket, _, _) -> Update.of(LOG, "each " + ticket))
        .node(last, (ticket, _, _) -> Update.of(LOG, "last " + ticket))
        .node("stop", (_, _) -> NodeResult.nothing())
        .edge(START, "begin")
        .edge("begin", "ask")
        .edge("begin", "beside")
        .join(List.of("ask", "beside"), "stop")
        .fanOut("begin", _ -> List.of(Send.to(last, make.apply("later"))), last)
        .fanOut("beside", _ -> List.of(Send.to(each, make.apply("sent"))), each)
        .edge("each", END)
        .edge("last", END)
        .edge("stop", END)
        .deferred("last")
        .compile();
  }

  private Graph before() {
    return graph(Before.Ticket.class, Before.TICKETS, Before.Ticket::new);
  }

  private Graph after() {
    return graph(After.Ticket.class, After.TICKETS, title -> new After.Ticket(title, 9));
  }

  private static Json withPriority(Json ticket) {
    return Json.of(new After.Ticket(ticket.as(Before.Ticket.class).title(), 1));
  }

  private Migration priority() {
    return Migration.between(before().topology().hash(), after().topology().hash())
        .transform("tickets", RecordMigrationTest::withPriority)
        .transform("newest", RecordMigrationTest::withPriority)
        .transformArgument("each", RecordMigrationTest::withPriority)
        .transformArgument("last", RecordMigrationTest::withPriority);
  }

  private static void assertCarried(State end) {
    assertThat(end.get(After.TICKETS))
        .containsExactly(new After.Ticket("one", 1), new After.Ticket("two", 1));
  }

  private static List<String> log(Graph graph, RunOptions options) {
    return graph.state(options).orElseThrow().state().get(LOG);
  }

  @Test
  void graphs_with_different_records_are_different_and_the_difference_is_listed() {
    assertThat(before().topology().hash()).isNotEqualTo(after().topology().hash());
    assertThat(before().topology().hash().substring(0, 32))
        .isEqualTo(after().topology().hash().substring(0, 32));
    var diff = TopologyDiff.between(before().topology(), after().topology());
    assertThat(diff.text())
        .contains("channel newest", "Ticket{title:String}", "Ticket{title:String,priority:int}");
  }

  @Test
  void a_graph_without_records_has_the_identity_that_it_had() {
    var graph =
        Graph.named("plain")
            .channels(LOG)
            .node("a", (_, _) -> NodeResult.nothing())
            .edge(START, "a")
            .edge("a", END)
            .compile();
    assertThat(graph.topology().hash()).hasSize(32);
    assertThat(graph.topology().json().text()).doesNotContain("types");
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_record_that_got_a_component_is_carried_by_a_migration(Durability durability)
      throws Exception {
    for (var store :
        List.of(inner, EncryptedCheckpointer.over(new InMemoryCheckpointer(), ring()))) {
      ran.set(0);
      var options = on(store).durability(durability);
      var question = asked(before().invoke(Input.none(), options)).getFirst();
      var moving = options.migrations(priority());
      assertThat(after().state(moving).orElseThrow().questions()).hasSize(1);
      assertCarried(completed(after().resume(Answers.of(question.id(), "red"), moving)));
      // The router is asked after the answer, by the graph as it is now.
      assertThat(log(after(), options))
          .containsExactly(
              "red", "each Ticket[title=sent, priority=9]", "last Ticket[title=later, priority=1]");
      assertThat(ran).as("what finished does not run again").hasValue(2);
    }
  }

  private static KeyRing ring() {
    return KeyRing.of("test", new byte[KeyRing.KEY_BYTES]);
  }

  @Test
  void without_a_migration_it_is_refused_and_nothing_is_saved() throws Exception {
    var options = on(inner);
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var history = before().history(Optional.empty(), 9, options);
    var answer = Answers.of(question.id(), "red");
    var error = thrown(ThreadError.class, () -> after().resume(answer, options));
    assertThat(error.reason()).isEqualTo(ThreadError.Reason.OTHER_GRAPH);
    assertThat(error.getMessage())
        .contains(before().topology().hash(), after().topology().hash(), "priority", "migration");
    assertThat(before().history(Optional.empty(), 9, options)).isEqualTo(history);
    assertThat(completed(before().resume(answer, options)).get(LOG)).hasSize(3);
  }

  @Test
  void a_migration_that_forgets_an_argument_is_refused_and_nothing_is_saved() throws Exception {
    var options = on(inner);
    asked(before().invoke(Input.none(), options));
    var history = before().history(Optional.empty(), 9, options);
    var forgetful =
        Migration.between(before().topology().hash(), after().topology().hash())
            .transform("tickets", RecordMigrationTest::withPriority)
            .transform("newest", RecordMigrationTest::withPriority);
    var moving = options.migrations(forgetful);
    var error = thrown(ThreadError.class, () -> after().resume(Answers.none(), moving));
    assertThat(error.getMessage()).contains("priority");
    assertThat(before().history(Optional.empty(), 9, options)).isEqualTo(history);
  }

  @Test
  void a_component_that_may_be_absent_needs_no_migration() throws Exception {
    var options = on(inner);
    var question = asked(before().invoke(Input.none(), options)).getFirst();
    var wider =
        graph(
            Wider.Ticket.class,
            Wider.TICKETS,
            title -> new Wider.Ticket(title, Optional.of("ann")));
    var end = completed(wider.resume(Answers.of(question.id(), "red"), options));
    assertThat(end.get(Wider.TICKETS))
        .containsExactly(
            new Wider.Ticket("one", Optional.empty()), new Wider.Ticket("two", Optional.empty()));
    assertThat(wider.history(Optional.empty(), 9, options))
        .extracting(Checkpoint::source)
        .contains(Checkpoint.Source.MIGRATION);
    var back = thrown(ThreadError.class, () -> before().invoke(Input.none(), options));
    assertThat(back.reason()).isEqualTo(ThreadError.Reason.OTHER_GRAPH);
  }

  @Test
  void a_fork_of_an_older_checkpoint_is_carried_like_its_source() throws Exception {
    var options = on(inner);
    asked(before().invoke(Input.none(), options));
    var first = before().history(Optional.empty(), 9, options).getLast();
    var newest = before().history(Optional.empty(), 9, options).getFirst();
    for (var at : List.of(first, newest)) {
      var name = "fork-" + at.step();
      Threads.in(inner).fork("t", at.id(), name);
      var fork = RunOptions.thread(name).checkpoints(inner).migrations(priority());
      assertThat(asked(after().resume(Answers.none(), fork))).hasSize(1);
      completed(after().resume(Answers.to(WHAT, "red"), fork));
      assertThat(log(after(), fork)).hasSize(3);
    }
  }

  /// Gives checkpoints the identity that versions gave which did not look at types.
  private static final class Untyped extends ForwardingCheckpointer {
    Untyped(Checkpointer store) {
      super(store);
    }

    @Override
    public boolean commit(Lease lease, Commit c) {
      var at = c.checkpoint();
      var old =
          new Checkpoint(
              1,
              at.id(),
              at.parent(),
              at.generation(),
              at.step(),
              at.source(),
              at.at(),
              at.run(),
              at.graph(),
              at.graphHash().substring(0, 32),
              at.progress(),
              at.metadata());
      return super.commit(
          lease,
          new Commit(
              c.lineage(),
              old,
              c.changes(),
              c.tasks(),
              c.steps(),
              c.parentSteps(),
              c.answers(),
              c.journal(),
              c.topology()));
    }
  }

  @Test
  void a_thread_saved_before_type_checks_existed_continues() throws Exception {
    var question = asked(before().invoke(Input.none(), on(new Untyped(inner)))).getFirst();
    var options = on(inner);
    completed(before().resume(Answers.of(question.id(), "red"), options));
    var history = before().history(Optional.empty(), 9, options);
    assertThat(history).extracting(Checkpoint::source).doesNotContain(Checkpoint.Source.MIGRATION);
    assertThat(history.getFirst().graphHash()).isEqualTo(before().topology().hash());
    assertThat(history.getLast().graphHash()).hasSize(32);
    assertThat(inner.described("desk", before().topology().hash())).isPresent();
    assertThat(Replay.of(before(), inner).thread("t").run().isEqual()).isTrue();
  }

  @Test
  void a_thread_from_before_types_were_looked_at_is_carried_or_refused() throws Exception {
    var question = asked(before().invoke(Input.none(), on(new Untyped(inner)))).getFirst();
    var options = on(inner);
    var error = thrown(ThreadError.class, () -> after().resume(Answers.none(), options));
    assertThat(error.getMessage()).contains("priority", "migration");
    var old = before().topology().hash().substring(0, 32);
    var moving =
        options.migrations(
            Migration.between(old, after().topology().hash())
                .transform("tickets", RecordMigrationTest::withPriority)
                .transform("newest", RecordMigrationTest::withPriority)
                .transformArgument("each", RecordMigrationTest::withPriority)
                .transformArgument("last", RecordMigrationTest::withPriority));
    assertCarried(completed(after().resume(Answers.of(question.id(), "red"), moving)));
  }

  /// Beside a question, a task sends a ticket and another replaces all tickets.
  private static <T> Graph sending(
      Class<T> type, Channel<List<T>, T> tickets, Function<String, T> make) {
    var each = Target.of("each", type);
    return Graph.named("sending")
        .channels(tickets, LOG)
        .questions(WHAT)
        .node("ask", (_, context) -> Update.of(LOG, context.interrupt(WHAT, "which?")))
        .node("send", (_, _) -> Command.send(List.of(Send.to(each, make.apply("sent")))))
        .node(
            "replace",
            (_, _) -> Update.overwrite(tickets, List.of(make.apply("one"), make.apply("two"))))
        .node(each, (ticket, _, _) -> Update.of(LOG, "each " + ticket))
        .edge(START, "ask")
        .edge(START, "send")
        .destinations("send", "each")
        .edge(START, "replace")
        .edge("ask", END)
        .edge("replace", END)
        .edge("each", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void sends_and_overwrites_of_a_task_are_migrated(Durability durability) throws Exception {
    var old = sending(Before.Ticket.class, Before.TICKETS, Before.Ticket::new);
    var now = sending(After.Ticket.class, After.TICKETS, title -> new After.Ticket(title, 9));
    var options = on(inner).durability(durability);
    var question = asked(old.invoke(Input.none(), options)).getFirst();
    var values =
        Migration.between(old.topology().hash(), now.topology().hash())
            .transform("tickets", RecordMigrationTest::withPriority);
    var moving =
        options.migrations(values.transformArgument("each", RecordMigrationTest::withPriority));
    var history = old.history(Optional.empty(), 9, options);
    var error =
        thrown(
            ThreadError.class,
            () -> now.resume(Answers.of(question.id(), "red"), options.migrations(values)));
    assertThat(error.getMessage()).contains("priority");
    assertThat(old.history(Optional.empty(), 9, options)).isEqualTo(history);
    assertCarried(completed(now.resume(Answers.of(question.id(), "red"), moving)));
    assertThat(log(now, options)).containsExactly("red", "each Ticket[title=sent, priority=1]");
  }

  private static Graph around(Graph desk) {
    return Graph.named("around")
        .channels(LOG)
        .node(
            "desk",
            Subgraph.of(desk, (State _) -> Input.none(), state -> Update.all(LOG, state.get(LOG))))
        .edge(START, "desk")
        .edge("desk", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_record_of_a_graph_inside_is_carried_by_a_migration_of_that_graph(Durability durability)
      throws Exception {
    var options = on(inner).durability(durability);
    var question = asked(around(before()).invoke(Input.none(), options)).getFirst();
    var now = around(after());
    assertThat(now.topology().hash())
        .as("holds no values of the graph inside")
        .isEqualTo(around(before()).topology().hash());
    var answer = Answers.of(question.id(), "red");
    var error = thrown(NodeFailed.class, () -> now.resume(answer, options));
    assertThat(error)
        .hasCauseInstanceOf(ThreadError.class)
        .hasMessageContainingAll(before().topology().hash(), after().topology().hash(), "priority");
    // The answer was kept.
    var end = completed(now.resume(Answers.none(), options.migrations(priority())));
    assertThat(end.get(LOG))
        .containsExactly(
            "red", "each Ticket[title=sent, priority=9]", "last Ticket[title=later, priority=1]");
    assertThat(ran).as("what finished does not run again").hasValue(2);
  }

  @Test
  void a_component_that_may_be_absent_and_a_new_channel_need_no_migration() throws Exception {
    var before =
        Graph.named("grown")
            .channels(Before.TICKETS)
            .node("a", (_, _) -> Update.of(Before.TICKETS, new Before.Ticket("one")))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var wider =
        Graph.named("grown")
            .channels(Wider.TICKETS, LOG)
            .node("a", (_, _) -> Update.of(LOG, "more"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    completed(before.invoke(Input.none(), on(inner)));
    var end = completed(wider.invoke(Input.none(), on(inner)));
    assertThat(end.get(LOG)).containsExactly("more");
    assertThat(end.get(Wider.TICKETS)).containsExactly(new Wider.Ticket("one", Optional.empty()));
  }
}
