package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.countingIds;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Kind;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.SendNode;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.EmptyChannel;
import dev.superstep.state.State;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class EventDetailsTest {
  static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  static final Channel<Long, Long> TURNS = Channel.sum("turns");
  static final Channel<String, String> REPORT = Channel.latest("report", String.class);
  static final Channel<Object, Object> SOCKET = Channel.untracked("socket", Object.class);
  static final Channel<Double, Double> SCORE = Channel.latest("score", Double.class);
  static final Target<Integer> WORK = Target.of("part", Integer.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);
  static final Detail[] ALL = Detail.values();

  static Graph twoSteps() {
    return Graph.named("two")
        .channels(LOG, TURNS, REPORT, SOCKET)
        .node(
            "a",
            (_, _) -> Update.of(LOG, "a").and(LOG, "b").and(TURNS, 1L).and(SOCKET, new Object()))
        .node("b", (_, _) -> Update.of(REPORT, "done").and(Update.overwrite(TURNS, 7L)))
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", END)
        .compile();
  }

  static Graph fan(SendNode<Integer> work) {
    return Graph.named("fan")
        .channels(LOG, TURNS)
        .questions(ASK)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(WORK, work)
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(WORK, 0), Send.to(WORK, 1)), WORK)
        .edge("part", END)
        .compile();
  }

  static <E> List<E> only(Class<E> type, List<Event> events) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  @Tag("T101")
  @Tag("W24")
  @Tag("G14")
  void the_state_is_published_after_input_and_after_each_superstep() throws Exception {
    for (var options : List.of(RunOptions.defaults(), kept())) {
      var events = new ArrayList<Event>();
      var heard = options.listener(events::add, Detail.VALUES);
      completed(twoSteps().invoke(Input.of(LOG, "in"), heard));
      var states = only(Event.StateValues.class, events);
      assertThat(states).extracting(e -> e.origin().step()).containsExactly(0, 1, 2);
      assertThat(states)
          .extracting(e -> e.values().toString())
          .containsExactly(
              "{log=[\"in\"], turns=0}",
              "{log=[\"in\",\"a\",\"b\"], turns=1}",
              "{log=[\"in\",\"a\",\"b\"], turns=7, report=\"done\"}");
      assertThat(states.getLast().read(LOG)).containsExactly("in", "a", "b");
      assertThat(states.getLast().read(TURNS)).isEqualTo(7);
      assertThat(states.getLast().find(SOCKET)).isEmpty();
      assertThat(thrown(EmptyChannel.class, () -> states.getFirst().read(REPORT)))
          .hasMessageContaining("report");
    }
  }

  @Test
  @Tag("T101")
  void the_state_is_published_when_a_thread_resumes() throws Exception {
    var graph =
        fan((n, _, context) -> Update.of(LOG, n == 0 ? "0" : context.interrupt(ASK, "which?")));
    var options = kept().concurrency(1);
    var open = asked(graph.invoke(Input.of(LOG, "in"), options)).getFirst();
    var events = new ArrayList<Event>();
    var heard = options.listener(events::add, Detail.VALUES);
    completed(graph.resume(Answers.of(open.id(), "1"), heard));
    assertThat(kinds(events))
        .containsExactly(
            "run.resumed",
            "state.values {log=[\"in\"], turns=0}",
            "interrupt.answered",
            "step.started [part, part]",
            "node.started part",
            "node.finished part",
            "state.values {log=[\"in\",\"0\",\"1\"], turns=0}",
            "step.finished []",
            "run.completed");
  }

  @Test
  @Tag("T101")
  void writes_are_published_in_the_order_in_which_tasks_finish() throws Exception {
    var events = new ArrayList<Event>();
    var options = RunOptions.defaults().concurrency(1).listener(events::add, Detail.UPDATES);
    completed(twoSteps().invoke(Input.none(), options));
    completed(fan((n, _, _) -> Update.of(LOG, "r" + n)).invoke(Input.none(), options));
    var updates = only(Event.NodeUpdated.class, events);
    assertThat(updates)
        .extracting(Event.NodeUpdated::node)
        .containsExactly("a", "b", "plan", "part", "part");
    assertThat(updates.getFirst().writes())
        .containsExactly(
            new TaskRecord.SavedWrite.Put("log", Json.string("a")),
            new TaskRecord.SavedWrite.Put("log", Json.string("b")),
            new TaskRecord.SavedWrite.Put("turns", Json.parse("1")));
    assertThat(updates.getFirst().read(LOG)).containsExactly("a", "b");
    assertThat(updates.get(1).writes())
        .contains(new TaskRecord.SavedWrite.Overwrite("turns", Json.parse("7")));
    assertThat(updates.get(1).read(TURNS)).isEmpty();
    assertThat(updates.getLast().read(LOG)).containsExactly("r1");
  }

  @Test
  @Tag("T125")
  void tasks_are_published_with_their_arguments_and_results() throws Exception {
    var graph =
        fan((n, _, context) -> {
          if (n == 1) throw new IllegalStateException("broken");
          context.interrupt(ASK, "which?");
          return NodeResult.nothing();
        });
    var events = new ArrayList<Event>();
    var options = kept().concurrency(1).listener(events::add, Detail.TASKS);
    thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    var started = only(Event.TaskStarted.class, events);
    assertThat(started)
        .extracting(Event.TaskStarted::activation)
        .containsExactly(
            new Activation.Entry(), new Activation.Sent("plan"), new Activation.Sent("plan"));
    assertThat(started)
        .extracting(e -> e.argument().map(Json::text))
        .containsExactly(Optional.empty(), Optional.of("0"), Optional.of("1"));
    var ended = only(Event.TaskEnded.class, events);
    assertThat(ended).extracting(Event.TaskEnded::attempts).containsOnly(1);
    assertThat(ended.get(0).end())
        .isEqualTo(new TaskRecord.End.Finished(List.of(), Optional.empty(), List.of()));
    assertThat(ended.get(1).end())
        .isEqualTo(
            new TaskRecord.End.Waiting(
                List.of(only(Event.InterruptRaised.class, events).getFirst().interrupt())));
    assertThat(ended.get(2).end())
        .isEqualTo(
            new TaskRecord.End.Failed(
                "java.lang.IllegalStateException", "IllegalStateException: broken"));
  }

  @Test
  @Tag("T125")
  void checkpoints_are_published_with_their_parents_after_they_are_saved() throws Exception {
    var store = new InMemoryCheckpointer();
    var events = new ArrayList<Event.CheckpointSaved>();
    var options =
        RunOptions.thread("t")
            .checkpoints(store)
            .ids(countingIds())
            .listener(
                event -> {
                  if (!(event instanceof Event.CheckpointSaved saved)) return;
                  var newest = store.latest(Lineage.of("t")).orElseThrow().checkpoint();
                  assertThat(newest.id()).isEqualTo(saved.checkpoint());
                  assertThat(newest.parent()).isEqualTo(saved.parent());
                  events.add(saved);
                },
                Detail.CHECKPOINTS);
    completed(twoSteps().invoke(Input.none(), options));
    assertThat(events)
        .extracting(Event.CheckpointSaved::source)
        .containsExactly(Checkpoint.Source.INPUT, Checkpoint.Source.LOOP, Checkpoint.Source.LOOP);
    assertThat(events)
        .extracting(Event.CheckpointSaved::next)
        .containsExactly(List.of("a"), List.of("b"), List.of());
    assertThat(events.getFirst().parent()).isEmpty();
    assertThat(events.get(2).parent()).contains(events.get(1).checkpoint());
  }

  @Test
  @Tag("X21")
  void each_listener_receives_only_the_details_that_it_requested() throws Exception {
    var plain = new ArrayList<Event>();
    var values = new ArrayList<Event>();
    var options =
        kept().listener(plain::add).listener(values::add, Detail.VALUES, Detail.CHECKPOINTS);
    completed(twoSteps().invoke(Input.none(), options));
    assertThat(plain).extracting(Event::kind).containsOnly(Kind.LIFECYCLE);
    assertThat(values)
        .extracting(Event::kind)
        .containsOnly(Kind.LIFECYCLE, Kind.VALUES, Kind.CHECKPOINTS);
    assertThat(values).containsAll(plain);
    for (int i = 0; i < values.size(); i++) {
      assertThat(values.get(i).origin().sequence()).isEqualTo(i + 1L);
    }
    var streamed = new ArrayList<Event>();
    try (var run = twoSteps().stream(Input.none(), RunOptions.defaults().details(ALL))) {
      run.forEach(streamed::add);
    }
    assertThat(streamed)
        .extracting(Event::kind)
        .contains(Kind.LIFECYCLE, Kind.VALUES, Kind.UPDATES, Kind.TASKS)
        .doesNotContain(Kind.CHECKPOINTS);
  }

  @Test
  @Tag("X21")
  @Tag("E13")
  void details_that_no_listener_requested_are_never_encoded() throws Exception {
    var encoded = new ArrayList<String>();
    var spy =
        new Codec<String>() {
          @Override
          public Json encode(String value) {
            encoded.add(value);
            return Json.string(value);
          }

          @Override
          public String decode(Json json) {
            return json.as(String.class);
          }

          @Override
          public String type() {
            return "Spied";
          }
        };
    var spied = Channel.latest("spied", spy);
    var graph =
        Graph.named("spied")
            .channels(spied)
            .node("a", (_, _) -> Update.of(spied, "x"))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    completed(graph.invoke(Input.none(), RunOptions.defaults().listener(_ -> {})));
    assertThat(encoded).isEmpty();
    completed(graph.invoke(Input.none(), RunOptions.defaults().listener(_ -> {}, Detail.UPDATES)));
    assertThat(encoded).containsExactly("x");
  }

  @Test
  @Tag("G28")
  void a_value_that_json_cannot_express_loses_its_event_but_does_not_fail_the_run()
      throws Exception {
    var log = Logger.getLogger("dev.superstep.graph");
    var before = log.getLevel();
    log.setLevel(Level.OFF);
    try {
      var graph =
          Graph.named("nan")
              .channels(SCORE)
              .node("a", (_, _) -> Update.of(SCORE, Double.NaN))
              .edge(START, "a")
              .edge("a", END)
              .compile();
      var events = new ArrayList<Event>();
      var options = RunOptions.defaults().listener(events::add, Detail.VALUES);
      completed(graph.invoke(Input.none(), options));
      assertThat(kinds(events))
          .containsExactly(
              "run.started",
              "state.values {}",
              "step.started [a]",
              "node.started a",
              "node.finished a",
              "step.finished []",
              "run.completed");
    } finally {
      log.setLevel(before);
    }
  }

  @Test
  void details_come_from_inside_a_subgraph_with_its_path() throws Exception {
    var outer =
        Graph.named("outer")
            .channels(REPORT)
            .node(
                "inner",
                Subgraph.of(
                    twoSteps(),
                    (State _) -> Input.none(),
                    inner -> Update.of(REPORT, inner.get(REPORT))))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    var events = new ArrayList<Event>();
    completed(outer.invoke(Input.none(), kept().listener(events::add, ALL)));
    assertThat(events)
        .filteredOn(e -> e.origin().path().equals(List.of("inner")))
        .extracting(Event::kind)
        .contains(Kind.VALUES, Kind.UPDATES, Kind.TASKS, Kind.CHECKPOINTS);
  }

  @Test
  @Tag("G20")
  void a_run_with_all_details_leaves_this_log() throws Exception {
    var graph =
        fan((n, _, context) -> Update.of(LOG, n == 0 ? "0" : context.interrupt(ASK, "which?")));
    var events = new ArrayList<Event>();
    var options =
        kept()
            .ids(countingIds())
            .clock(InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")))
            .concurrency(1)
            .listener(events::add, ALL);
    var open = asked(graph.invoke(Input.of(LOG, "in"), options)).getFirst();
    completed(graph.resume(Answers.of(open.id(), "1"), options));
    var log = new StringBuilder();
    var codec = Codec.of(Event.class);
    for (var event : events) {
      log.append(event.json().text().replaceAll("\"took\":\"PT[^\"]*\"", "\"took\":\"PT0S\""));
      log.append('\n');
      assertThat(codec.decode(event.json())).isEqualTo(event);
    }
    GoldenText.check("event-log-details.jsonl", log.toString());
  }
}
