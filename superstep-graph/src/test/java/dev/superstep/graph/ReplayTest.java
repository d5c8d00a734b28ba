package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Divergence;
import dev.superstep.run.Divergence.What;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.ReplayResult;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Recorded supersteps that are run again and compared.
@Tag("G20")
final class ReplayTest {
  record Note(String id, String text) {}

  private static final Channel<List<Note>, Note> NOTES =
      Channel.byId("notes", Note.class, Note::id, (note, id) -> new Note(id, note.text()));
  private static final Channel<List<String>, String> LINES = Channel.append("lines", String.class);
  private static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  private static final Channel<Long, Long> COUNT =
      Channel.folding("count", Long.class, Long.class, 0L, Long::sum);
  private static final Target<String> EACH = Target.of("each", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);

  /// Eight of its own, and two in each of three graphs inside.
  private static final String WHOLE = "14 supersteps agree.\n";

  private final AtomicInteger effects = new AtomicInteger();
  private final AtomicInteger ticks = new AtomicInteger();
  private final InMemoryCheckpointer inner = new InMemoryCheckpointer();

  /// What a program may change from one version to the next.
  private record Version(
      Node plan, String suffix, String after, Channel<Long, Long> count, String inside) {
    Version(Node plan) {
      this(plan, "", "ask", COUNT, "");
    }
  }

  private NodeResult plan(State state, NodeContext context) throws Exception {
    return plan(context, COUNT);
  }

  private Update plan(NodeContext context, Channel<Long, Long> count) throws Exception {
    int paid = context.step("pay", Integer.class, effects::incrementAndGet);
    var time = context.clock().instant();
    var later = context.step("later", Instant.class, () -> context.clock().instant());
    return Update.of(LINES, paid + " at " + time + " and " + later)
        .and(LINES, "random " + context.random().nextInt(1_000_000))
        .and(NOTES, new Note("", "fresh id"))
        .and(count, 1L);
  }

  private Version version() {
    return new Version(this::plan);
  }

  private Graph helper(Version version) {
    return Graph.named("helper")
        .channels(TOPIC, LINES, NOTES)
        .questions(WHAT)
        .node(
            "research",
            (state, context) -> {
              int found = context.step("search", Integer.class, effects::incrementAndGet);
              return Update.of(LINES, found + " " + state.get(TOPIC) + version.inside())
                  .and(NOTES, new Note("", "inside " + context.clock().instant()));
            })
        .node("check", (_, context) -> Update.of(LINES, context.interrupt(WHAT, "inside?")))
        .edge(START, "research")
        .edge("research", "check")
        .edge("check", END)
        .compile();
  }

  private Graph graph(Version version) {
    return graph(version, UnaryOperator.identity());
  }

  private Graph graph(Version version, UnaryOperator<Subgraph<State>> kept) {
    Subgraph<State> help =
        Subgraph.of(
            helper(version),
            state -> Input.of(TOPIC, "topic " + state.get(LINES).size()),
            end -> Update.all(LINES, end.get(LINES)).and(NOTES, end.get(NOTES).getFirst()));
    return Graph.named("desk")
        .channels(NOTES, LINES, version.count())
        .questions(WHAT)
        .node("plan", version.plan())
        .node(
            EACH,
            (what, _, context) ->
                Update.of(LINES, what + version.suffix() + context.random().nextInt(100))
                    .and(NOTES, new Note("", what)))
        .node("ask", (_, context) -> Update.of(LINES, context.interrupt(WHAT, "outside?")))
        .node("help", kept.apply(help))
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(EACH, "a"), Send.to(EACH, "b")), EACH)
        .route("plan", _ -> version.after(), "ask", "help")
        .edge("each", END)
        .route("ask", s -> s.get(LINES).size() < 12 ? "help" : END, "help", END)
        .edge("help", "ask")
        .compile();
  }

  private RunOptions on(Checkpointer store) {
    return RunOptions.thread("t")
        .checkpoints(store)
        .recorded()
        .clock(() -> Instant.ofEpochSecond(ticks.incrementAndGet()));
  }

  /// Answers whatever is asked until the run is over.
  private static State finished(Graph graph, Outcome first, RunOptions options) throws Exception {
    var outcome = first;
    for (int i = 0; outcome instanceof Outcome.Interrupted(var open); i++) {
      outcome = graph.resume(Answers.of(open.getFirst().id(), "answer " + i), options);
    }
    return completed(outcome);
  }

  private State run(Graph graph, Checkpointer store) throws Exception {
    return finished(graph, graph.invoke(Input.none(), on(store)), on(store));
  }

  private ReplayResult replayed(Version version) throws InterruptedException {
    return Replay.of(graph(version), inner).thread("t").run();
  }

  private Divergence divergence(Version version) throws InterruptedException {
    var replayed = replayed(version);
    assertThat(replayed.divergence()).as(replayed.text()).isPresent();
    return replayed.divergence().get();
  }

  @Test
  void a_replay_reaches_the_same_state_without_effects() throws Exception {
    run(graph(version()), inner);
    int done = effects.get();
    int told = ticks.get();
    var heard = new RecordingStore(inner);
    var replayed = Replay.of(graph(version()), heard.store()).thread("t").run();
    assertThat(replayed.text()).isEqualTo(WHOLE);
    assertThat(replayed.isEqual()).isTrue();
    assertThat(effects).hasValue(done);
    assertThat(ticks).hasValue(told);
    assertThat(heard.methods())
        .isSubsetOf(
            "latest", "byId", "changes", "page", "tasks", "steps", "answers", "hashCode", "equals");
  }

  @Test
  void a_remembering_subgraph_is_compared_starting_from_its_memory() throws Exception {
    run(graph(version(), Subgraph::remembering), inner);
    var replayed = Replay.of(graph(version(), Subgraph::remembering), inner).thread("t").run();
    assertThat(replayed.isEqual()).as(replayed.text()).isTrue();
    var changed = new Version(this::plan, "", "ask", COUNT, "!");
    var found = Replay.of(graph(changed, Subgraph::remembering), inner).thread("t").run();
    assertThat(found.divergence().orElseThrow().path()).containsExactly("help");
  }

  @Test
  void an_unsaved_subgraph_is_reported_as_not_compared() throws Exception {
    var plain =
        Graph.named("plain")
            .channels(LINES)
            .node("say", (_, _) -> Update.of(LINES, "x"))
            .edge(START, "say")
            .edge("say", END)
            .compile();
    var graph =
        Graph.named("around")
            .channels(LINES)
            .node(
                "in",
                Subgraph.<State>of(
                        plain, _ -> Input.none(), s -> Update.of(LINES, s.get(LINES).getFirst()))
                    .withoutCheckpoints())
            .node("then", (_, _) -> Update.of(LINES, "then"))
            .edge(START, "in")
            .edge("in", "then")
            .edge("then", END)
            .compile();
    completed(graph.invoke(Input.none(), on(inner)));
    var replayed = Replay.of(graph, inner).thread("t").run();
    assertThat(replayed.supersteps()).isEqualTo(1);
    assertThat(replayed.uncompared())
        .containsExactly("superstep 1: the graph inside `in` is not kept");
    assertThat(replayed.isEqual()).isFalse();
  }

  @Test
  void a_replay_reads_an_encrypted_store() throws Exception {
    var ring = KeyRing.of("k", new byte[KeyRing.KEY_BYTES]);
    var store = EncryptedCheckpointer.over(inner, ring);
    run(graph(version()), store);
    assertThat(Replay.of(graph(version()), store).thread("t").run().isEqual()).isTrue();
  }

  @Test
  void a_node_that_writes_something_else_is_found_where_it_first_does() throws Exception {
    run(graph(version()), inner);
    Node changed = (_, context) -> plan(context, COUNT).and(LINES, "one line more");
    var found = divergence(new Version(changed));
    assertThat(found.what()).isEqualTo(What.VALUE);
    assertThat(found.step()).isEqualTo(1);
    assertThat(found.channel()).isEqualTo("lines");
    assertThat(found.now()).contains("one line more");
    assertThat(found.recorded()).doesNotContain("one line more");
    assertThat(found.checkpoint()).isEqualTo(checkpoint(1).id());
  }

  private Checkpoint checkpoint(int step) {
    return inner.page(Lineage.of("t"), Optional.empty(), 100).stream()
        .filter(c -> c.step() == step)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_difference_names_the_node_and_its_channel_if_the_task_record_exists() throws Exception {
    run(graph(version()), inner);
    var found = divergence(new Version(this::plan, "?", "ask", COUNT, ""));
    assertThat(found.what()).isEqualTo(What.WRITES);
    assertThat(found.step()).isEqualTo(2);
    assertThat(found.node()).isEqualTo("each");
    assertThat(found.channel()).isEqualTo("lines");
    assertThat(found.text())
        .startsWith("Superstep 2, to checkpoint ")
        .contains("node `each` writes something else to channel `lines`")
        .contains("now:      Put[channel=lines, value=\"a?");
  }

  @Test
  void a_router_that_chooses_otherwise_is_found() throws Exception {
    run(graph(version()), inner);
    var found = divergence(new Version(this::plan, "", "help", COUNT, ""));
    assertThat(found.what()).isEqualTo(What.ROUTING);
    assertThat(found.step()).isEqualTo(1);
    assertThat(found.recorded()).contains("ask (");
    assertThat(found.now()).contains("help (");
  }

  @Test
  void a_reducer_that_folds_otherwise_is_found() throws Exception {
    run(graph(version()), inner);
    Channel<Long, Long> doubled =
        Channel.folding("count", Long.class, Long.class, 0L, (sum, more) -> sum + 2 * more);
    Node plan = (_, context) -> plan(context, doubled);
    var found = divergence(new Version(plan, "", "ask", doubled, ""));
    assertThat(found.what()).isEqualTo(What.VALUE);
    assertThat(List.of(found.channel(), found.recorded(), found.now()))
        .containsExactly("count", "1", "2");
  }

  @Test
  void a_step_that_is_new_or_whose_record_is_lost_is_found_and_not_done() throws Exception {
    run(graph(version()), inner);
    int done = effects.get();
    Node more =
        (state, context) -> {
          try {
            context.step("mail", Integer.class, effects::incrementAndGet);
          } catch (Exception e) {
            throw new IOException(e);
          }
          return plan(state, context);
        };
    var found = divergence(new Version(more));
    assertThat(found.what()).isEqualTo(What.EFFECT);
    assertThat(found.node()).isEqualTo("plan");
    assertThat(found.now()).isEqualTo("step `mail`");
    var forgetful =
        new ForwardingCheckpointer(inner) {
          @Override
          public List<StepRecord> steps(Lineage lineage, String checkpoint) {
            return super.steps(lineage, checkpoint).stream()
                .filter(step -> !step.key().equals("search"))
                .toList();
          }
        };
    var lost = Replay.of(graph(version()), forgetful).thread("t").run().divergence();
    assertThat(lost.orElseThrow())
        .extracting(Divergence::what, Divergence::node, Divergence::path)
        .containsExactly(What.EFFECT, "research", List.of("help"));
    assertThat(effects).hasValue(done);
  }

  @Test
  void a_call_that_would_ask_something_else_is_found_and_not_made() throws Exception {
    run(graph(new Version(asking("weather in Oslo"))), inner);
    int done = effects.get();
    var same = Replay.of(graph(new Version(asking("weather in Oslo"))), inner);
    assertThat(same.thread("t").run().text()).isEqualTo(WHOLE);
    var found = divergence(new Version(asking("weather in Rome")));
    assertThat(found)
        .extracting(Divergence::what, Divergence::node, Divergence::step)
        .containsExactly(What.REQUEST, "plan", 1);
    assertThat(found.recorded()).isEqualTo("step `model`: weather in Oslo");
    assertThat(found.now()).isEqualTo("step `model`: weather in Rome");
    assertThat(found.text()).contains("node `plan` asks something else");
    assertThat(effects).hasValue(done);
  }

  private Node asking(String request) {
    return (state, context) -> {
      context.call("model", request, Integer.class, effects::incrementAndGet);
      return plan(state, context);
    };
  }

  @Test
  void a_change_inside_is_found_inside() throws Exception {
    run(graph(version()), inner);
    var found = divergence(new Version(this::plan, "", "ask", COUNT, "!"));
    assertThat(found.path()).containsExactly("help");
    assertThat(found.what()).isEqualTo(What.VALUE);
    assertThat(found.channel()).isEqualTo("lines");
    assertThat(found.text()).startsWith("Superstep 1 in help, to checkpoint ");
  }

  @Test
  void a_node_that_fails_now_is_found() throws Exception {
    run(graph(version()), inner);
    Node broken =
        (_, _) -> {
          throw new IOException("no such file");
        };
    var found = divergence(new Version(broken));
    assertThat(found.what()).isEqualTo(What.END);
    assertThat(found.now()).contains("no such file");
  }

  @Test
  void an_unrecorded_time_is_reported() throws Exception {
    var graph =
        StepTest.alone((_, context) -> Update.of(StepTest.SAID, "" + context.clock().instant()));
    var options = RunOptions.thread("t").checkpoints(inner);
    completed(graph.invoke(Input.none(), options));
    var replayed = Replay.of(graph, inner).thread("t").run();
    assertThat(replayed.uncompared())
        .containsExactly("a time that node `a` read and that is not recorded");
    assertThat(replayed.divergence().orElseThrow().channel()).isEqualTo("said");
  }

  @Test
  void a_run_that_crashed_anywhere_and_was_resumed_replays_to_the_same_state() throws Exception {
    for (int writes = 1; ; writes++) {
      var kept = new InMemoryCheckpointer();
      var dying = FailingCheckpointer.afterWrites(kept, writes);
      var graph = graph(version());
      boolean died = false;
      Outcome outcome;
      try {
        outcome = graph.invoke(Input.none(), on(dying));
      } catch (StoreFailed _) {
        died = true;
        dying.mend();
        if (kept.latest(Lineage.of("t")).isEmpty()) continue;
        outcome = graph.resume(Answers.none(), on(dying));
      }
      finished(graph, outcome, on(kept));
      var replayed = Replay.of(graph(version()), kept).thread("t").run();
      assertThat(replayed.text()).as("dead after %d writes", writes).isEqualTo(WHOLE);
      if (!died) break;
      assertThat(writes).isLessThan(100);
    }
  }

  @Test
  void a_stretch_between_two_checkpoints_is_replayed_alone() throws Exception {
    run(graph(version()), inner);
    var replay = Replay.of(graph(version()), inner).thread("t");
    var from = checkpoint(1).id();
    var to = checkpoint(3).id();
    assertThat(replay.from(from).to(checkpoint(2).id()).run().supersteps()).isEqualTo(1);
    assertThat(replay.to(from).run().supersteps()).isEqualTo(1);
    assertThat(thrown(ThreadError.class, () -> replay.from(to).to(from).run()).reason())
        .isEqualTo(ThreadError.Reason.UNKNOWN);
    var nobody = Replay.of(graph(version()), inner).thread("nobody");
    assertThat(thrown(ThreadError.class, nobody::run)).hasMessageContaining("is unknown here");
  }

  @Test
  void a_task_that_runs_again_gives_the_same_ids_and_sees_the_same_times() throws Exception {
    var seen = new ConcurrentLinkedQueue<String>();
    var graph =
        Graph.named("again")
            .channels(NOTES)
            .questions(WHAT)
            .node(
                "a",
                (_, context) -> {
                  var first = context.clock().instant();
                  seen.add(first + " " + context.clock().instant() + context.random().nextInt());
                  context.interrupt(WHAT, "?");
                  return Update.of(NOTES, new Note("", "x")).and(NOTES, new Note("", "y"));
                })
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var one = asked(graph.invoke(Input.none(), on(inner))).getFirst();
    Threads.in(inner).copy("t", "copy");
    var end = completed(graph.resume(Answers.of(one.id(), "!"), on(inner))).get(NOTES);
    var copy = RunOptions.thread("copy").checkpoints(inner).recorded();
    assertThat(completed(graph.resume(Answers.of(one.id(), "!"), copy)).get(NOTES))
        .isEqualTo(end)
        .extracting(Note::id)
        .doesNotHaveDuplicates();
    assertThat(seen).hasSize(3).containsOnly(seen.element());
  }
}
