package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.event.JsonLines;
import dev.superstep.event.NodeObserver;
import dev.superstep.event.Redaction;
import dev.superstep.event.RunStatus;
import dev.superstep.event.RunStatuses;
import dev.superstep.event.TextPiece;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is made of the events of a run: observers, the status of runs, lines of JSON.
class RunObserversTest {
  static final Channel<Long, Long> TURNS = Channel.sum("turns");
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  static Graph one(Node node, NodePolicy policy) {
    return Graph.named("one")
        .channels(TURNS)
        .questions(ASK)
        .node("a", node, policy)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  static Graph around(Graph inner) {
    return Graph.named("outer")
        .channels(TURNS)
        .node(
            "inner",
            Subgraph.of(inner, (State _) -> Input.none(), s -> Update.of(TURNS, s.get(TURNS))))
        .edge(START, "inner")
        .edge("inner", END)
        .compile();
  }

  private static final class Notes implements NodeObserver {
    final List<String> notes = new ArrayList<>();

    @Override
    public void start(String name, int step) {
      notes.add("start " + name + " " + step);
    }

    @Override
    public void complete(String name, int step, Duration took) {
      assertThat(took).isPositive();
      notes.add("complete " + name + " " + step);
    }

    @Override
    public void error(String name, int step, String message) {
      notes.add("error " + name + " " + step + " " + message);
    }

    @Override
    public void retry(String name, int step, int attempt, int most) {
      notes.add("retry " + name + " " + step + " " + attempt + "/" + most);
    }
  }

  @Test
  @Tag("E12")
  @Tag("X21")
  void an_observer_receives_the_start_and_end_of_nodes() throws Exception {
    var notes = new Notes();
    var options = RunOptions.defaults().sleeper(_ -> {}).listener(NodeObserver.on(notes));
    var policy = NodePolicy.defaults().retry(Retry.of(2).when(_ -> true));
    Node flaky =
        (_, context) -> {
          if (context.attempt() == 1) throw new IllegalStateException("flaky");
          return Update.of(TURNS, 1L);
        };
    completed(around(one(flaky, policy)).invoke(Input.none(), options));
    Node broken =
        (_, _) -> {
          throw new IllegalStateException("broken");
        };
    completed(one(broken, policy.onFailure(OnFailure.skip())).invoke(Input.none(), options));
    thrown(
        NodeFailed.class, () -> one(broken, NodePolicy.defaults()).invoke(Input.none(), options));
    assertThat(notes.notes)
        .containsExactly(
            "start inner 1",
            "start inner/a 1",
            "retry inner/a 1 2/2",
            "complete inner/a 1",
            "complete inner 1",
            "start a 1",
            "retry a 1 2/2",
            "error a 1 IllegalStateException: broken",
            "start a 1",
            "error a 1 IllegalStateException: broken");
  }

  @Test
  @Tag("T102")
  @Tag("A15")
  void the_status_of_a_run_follows_from_its_events() throws Exception {
    var events = new ArrayList<Event>();
    var graph =
        around(
            one(
                (_, context) -> {
                  context.interrupt(ASK, "?");
                  return Update.of(TURNS, 1L);
                },
                NodePolicy.defaults()));
    var options = kept().listener(events::add);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var stages = new ArrayList<String>();
    RunStatus status = null;
    for (var event : events) {
      status = status == null ? RunStatus.of(event) : status.after(event);
      var active = status.active().stream().map(t -> t.path() + t.node()).toList();
      stages.add(status.stage() + " " + status.step() + " " + active);
      assertThat(status.sequence()).isEqualTo(event.origin().sequence());
      assertThat(status.after(event)).isSameAs(status);
    }
    assertThat(stages)
        .containsExactly(
            "RUNNING 0 []",
            "RUNNING 1 []",
            "RUNNING 1 [[]inner]",
            "RUNNING 1 [[]inner]",
            "RUNNING 1 [[]inner]",
            "RUNNING 1 [[]inner, [inner]a]",
            "RUNNING 1 [[]inner]",
            "INTERRUPTED 1 []");
    assertThat(status.questions()).containsExactly(open.id());
    assertThat(status.first().thread()).contains("t");
    assertThat(status.resumed()).isFalse();
    events.clear();
    completed(graph.resume(Answers.of(open.id(), "x"), options));
    var statuses = new RunStatuses(1);
    events.forEach(statuses::on);
    var ended = statuses.newest(1).getFirst();
    assertThat(ended.stage()).isEqualTo(RunStatus.Stage.COMPLETED);
    assertThat(ended.resumed()).isTrue();
    assertThat(ended.steps()).isEqualTo(1);
    assertThat(ended.questions()).isEmpty();
    assertThat(ended.checkpoint()).contains(graph.state(options).orElseThrow().checkpoint());
    var codec = Codec.of(RunStatus.class);
    assertThat(codec.decode(codec.encode(ended))).isEqualTo(ended);
  }

  @Test
  @Tag("T106")
  void the_newest_runs_are_listed_first_and_the_oldest_that_ended_is_forgotten() throws Exception {
    var statuses = new RunStatuses(3);
    var broken =
        one(
            (_, _) -> {
              throw new IllegalStateException("broken");
            },
            NodePolicy.defaults());
    var fine = one((_, _) -> Update.of(TURNS, 1L), NodePolicy.defaults());
    var options = RunOptions.defaults().listener(statuses);
    var begun = new CountDownLatch(1);
    var finish = new CountDownLatch(1);
    var slow =
        one(
            (_, _) -> {
              begun.countDown();
              finish.await();
              return NodeResult.nothing();
            },
            NodePolicy.defaults());
    try (var atWork = slow.stream(Input.none(), options)) {
      begun.await();
      completed(fine.invoke(Input.none(), options));
      completed(fine.invoke(Input.none(), options));
      thrown(NodeFailed.class, () -> broken.invoke(Input.none(), options));
      var newest = statuses.newest(10);
      assertThat(newest)
          .extracting(RunStatus::stage)
          .containsExactly(
              RunStatus.Stage.FAILED, RunStatus.Stage.COMPLETED, RunStatus.Stage.RUNNING);
      assertThat(newest.getFirst().problem().orElseThrow().code()).isEqualTo("graph.node-failed");
      assertThat(statuses.newest(1)).containsExactly(newest.getFirst());
      assertThat(statuses.before(newest.getFirst().run(), 1)).containsExactly(newest.get(1));
      assertThat(statuses.before("unknown", 1)).isEmpty();
      assertThat(statuses.find(newest.getLast().run())).contains(newest.getLast());
      finish.countDown();
      completed(atWork.outcome());
    }
    assertThat(statuses.newest(10)).allMatch(RunStatus::hasEnded);
  }

  @Test
  @Tag("G28")
  @Tag("G34")
  void events_are_written_as_lines_and_a_full_disk_does_not_harm_the_run(@TempDir Path folder)
      throws Exception {
    var file = folder.resolve("events.jsonl");
    var events = new ArrayList<Event>();
    var graph = one((_, _) -> Update.of(TURNS, 1L), NodePolicy.defaults());
    try (var lines = JsonLines.to(file, Redaction.none())) {
      completed(
          graph.invoke(Input.none(), RunOptions.defaults().listener(lines).listener(events::add)));
      assertThat(lines.written()).isEqualTo(events.size());
      assertThat(lines.failed()).isZero();
    }
    assertThat(Files.readAllLines(file))
        .extracting(line -> Json.parse(line).as(Event.class))
        .isEqualTo(events);
    var log = Logger.getLogger("dev.superstep.event");
    var before = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      var full = new FullDisk();
      var lines = JsonLines.to(full, Redaction.none());
      completed(graph.invoke(Input.none(), RunOptions.defaults().listener(lines)));
      assertThat(lines.failed()).isEqualTo(2);
      assertThat(lines.written()).isEqualTo(4);
      assertThat(lines.lastFailure()).containsInstanceOf(IOException.class);
      assertThat(full.text.toString().lines().filter(l -> l.startsWith("{") && l.endsWith("}")))
          .hasSize(4);
    } finally {
      log.setLevel(before);
    }
  }

  /// Takes half of the second and third line.
  private static final class FullDisk extends Writer {
    final StringBuilder text = new StringBuilder();
    int lines;

    @Override
    public void write(char[] buffer, int from, int length) throws IOException {
      lines++;
      boolean full = lines == 2 || lines == 3;
      text.append(buffer, from, full ? length / 2 : length);
      if (full) throw new IOException("no space left");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  @Tag("W57")
  void an_event_carries_the_time_at_which_it_happened() throws Exception {
    var now = new AtomicReference<>(Instant.EPOCH);
    var events = new ArrayList<Event>();
    var graph =
        one(
            (_, _) -> {
              now.set(Instant.EPOCH.plusSeconds(60));
              return Update.of(TURNS, 1L);
            },
            NodePolicy.defaults());
    completed(
        graph.invoke(Input.none(), RunOptions.defaults().clock(now::get).listener(events::add)));
    now.set(Instant.EPOCH.plusSeconds(3600));
    assertThat(events.getFirst().json().text()).contains("\"at\":\"1970-01-01T00:00:00Z\"");
    assertThat(events.getLast().json().text()).contains("\"at\":\"1970-01-01T00:01:00Z\"");
  }

  @Test
  @Tag("G16")
  void events_of_an_abandoned_thread_after_its_node_returned_are_dropped() throws Exception {
    var left = new AtomicReference<NodeContext>();
    var graph =
        one(
            (_, context) -> {
              left.set(context);
              assertThat(context.hasListeners()).isTrue();
              var other =
                  Thread.ofVirtual()
                      .start(() -> context.emitText(new TextPiece("agent", "m", 1, "from beside")));
              other.join();
              return Update.of(TURNS, 1L);
            },
            NodePolicy.defaults());
    var events = new ArrayList<Event>();
    completed(graph.invoke(Input.none(), RunOptions.defaults().listener(events::add)));
    left.get().emit("late", 1);
    left.get().emitText(new TextPiece("agent", "m", 1, "late"));
    assertThat(Runs.kinds(events))
        .contains("text.arrived from beside")
        .doesNotContain("text.arrived late", "node.emitted late")
        .endsWith("run.completed");
  }
}
