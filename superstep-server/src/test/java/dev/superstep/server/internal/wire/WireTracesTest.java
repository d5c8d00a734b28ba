package dev.superstep.server.internal.wire;

import static dev.superstep.server.internal.wire.stream.StreamMode.CHECKPOINTS;
import static dev.superstep.server.internal.wire.stream.StreamMode.DEBUG;
import static dev.superstep.server.internal.wire.stream.StreamMode.MESSAGES;
import static dev.superstep.server.internal.wire.stream.StreamMode.MESSAGES_TUPLE;
import static dev.superstep.server.internal.wire.stream.StreamMode.TASKS;
import static dev.superstep.server.internal.wire.stream.StreamMode.UPDATES;
import static dev.superstep.server.internal.wire.stream.StreamMode.VALUES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Threads;
import dev.superstep.run.StateUpdate;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.testkit.Golden;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// What clients of LangGraph see of runs and threads, on each store.
@Tag("H4.4")
@Tag("H4.10")
class WireTracesTest {
  private static final Golden GOLDEN = Golden.in("wire");
  private static final String FOO = "{'messages':[{'type':'human','content':'foo','id':'m1'}]}";

  @TempDir Path folder;

  private interface Trace {
    void on(WireThread thread);
  }

  /// The same protocol on every store.
  private Stream<DynamicTest> traces(String name, Graph graph, Trace trace) {
    return Stream.of("memory", "sqlite")
        .map(kind ->
            DynamicTest.dynamicTest(
                kind,
                () -> {
                  try (var store = store(kind, name)) {
                    var thread = new WireThread(graph, store);
                    try {
                      trace.on(thread);
                    } catch (AssertionError e) {
                      throw new AssertionError(thread.protocol(), e);
                    }
                    GOLDEN.check(name + ".golden", thread.protocol());
                  }
                }));
  }

  private Checkpointer store(String kind, String name) {
    return kind.equals("memory")
        ? new InMemoryCheckpointer(InstantSource.system(), true)
        : SqliteCheckpointer.open(folder.resolve(name + ".db"));
  }

  @TestFactory
  Stream<DynamicTest> the_first_turn_of_an_agent() {
    return traces(
        "first-turn",
        WireGraphs.agent(),
        thread -> {
          thread.state(false);
          thread.input(FOO, VALUES);
          assertThat(thread.state(false).path("next")).isEmpty();
          var steps = thread.history(HistoryQuery.newest(10)).stream();
          assertThat(steps.map(state -> state.path("metadata").path("step").asInt()))
              .containsExactly(3, 2, 1, 0, -1);
        });
  }

  @TestFactory
  Stream<DynamicTest> tasks_and_checkpoints_are_streamed() {
    return traces(
        "tasks-and-checkpoints",
        WireGraphs.agent(),
        thread -> {
          thread.input(FOO, TASKS, CHECKPOINTS);
          thread.input("{'messages':'again'}", CHECKPOINTS);
        });
  }

  @TestFactory
  Stream<DynamicTest> a_question_is_asked_and_answered() {
    return traces(
        "question",
        WireGraphs.agent(),
        thread -> {
          thread.input("{'interrupt':true,'messages':['foo']}", VALUES, UPDATES, TASKS);
          thread.state(false);
          thread.resume("'i want to resume'", VALUES, UPDATES);
          assertThat(thread.state(false).path("values").path("messages")).hasSize(4);
        });
  }

  @TestFactory
  Stream<DynamicTest> a_breakpoint_inside_a_graph_is_edited_and_passed() {
    return traces(
        "breakpoint-inside-graph",
        WireGraphs.weather(),
        thread -> {
          thread.input("{'city':'SF'}", VALUES);
          var child = thread.state(false).path("tasks").path(0).path("checkpoint");
          thread.state(true);
          var ref = CheckpointRef.read(child);
          var inside = thread.states.resolve("T", ref).orElseThrow().inside().orElseThrow();
          var _ =
              inside.update(
                  StateUpdate.as(
                      "model_node", thread.wire.update(WireThread.json("{'city':'LA'}"))));
          thread.note("edited", thread.states.at("T", ref, false).orElseThrow());
          thread.withSubgraphs().resume("", VALUES, UPDATES);
          assertThat(thread.history(new HistoryQuery(10, Optional.empty(), Map.of(), ref)))
              .hasSize(5);
          assertThat(thread.history(HistoryQuery.newest(10))).hasSize(4);
        });
  }

  @TestFactory
  Stream<DynamicTest> a_failure_ends_the_stream() {
    return traces(
        "failure",
        WireGraphs.failing(),
        thread -> {
          thread.input(FOO, VALUES, TASKS);
          thread.state(false);
        });
  }

  @TestFactory
  Stream<DynamicTest> messages_are_streamed_in_pieces() {
    return traces(
        "messages",
        WireGraphs.agent(),
        thread -> {
          thread.input(FOO, MESSAGES, MESSAGES_TUPLE);
          thread.input("{'messages':{'role':'user','content':'again'}}", DEBUG);
        });
  }

  @TestFactory
  Stream<DynamicTest> runs_are_told_in_events_of_the_protocol() {
    return traces(
        "protocol-events",
        WireGraphs.agent(),
        thread -> {
          thread.withEvents().input("{'interrupt':true,'messages':['foo']}");
          thread.resume("'i want to resume'");
        });
  }

  @TestFactory
  Stream<DynamicTest> graphs_inside_are_told_in_events_of_the_protocol() {
    return traces(
        "protocol-events-inside",
        WireGraphs.weather(),
        thread -> thread.withEvents().input("{'city':'SF'}"));
  }

  @Test
  void an_edited_message_makes_a_second_child_of_its_parent() {
    var store = new InMemoryCheckpointer(InstantSource.system(), true);
    var thread = new WireThread(WireGraphs.agent(), store);
    thread.input(FOO, VALUES);
    thread.input("{'messages':[{'type':'human','content':'bar','id':'m2'}]}", VALUES);
    var all = thread.history(HistoryQuery.newest(20));
    assertThat(all).hasSize(10);
    var first =
        all.reversed().stream()
            .filter(state -> state.path("values").path("messages").size() == 5)
            .findFirst()
            .orElseThrow();
    var parent = first.path("parent_checkpoint");
    var place = thread.states.resolve("T", CheckpointRef.read(parent)).orElseThrow();
    assertThat(place.isBeforeInput()).isTrue();
    Threads.in(store).rewind("T", place.rewindTo().orElseThrow());
    thread.with(RunMetadata.PARENT, parent.path("checkpoint_id").asString());
    thread.input("{'messages':[{'type':'human','content':'baz','id':'m3'}]}", VALUES);
    var history = thread.history(HistoryQuery.newest(20));
    assertThat(
            history.stream().map(state -> state.path("parent_checkpoint")).filter(parent::equals))
        .hasSize(2);
    assertThat(history).hasSize(15);
  }

  @Test
  void history_is_filtered_by_metadata_of_runs() {
    var store = new InMemoryCheckpointer(InstantSource.system(), true);
    var thread = new WireThread(WireGraphs.agent(), store);
    thread.input(FOO, VALUES);
    thread.with("run_metadata", "x").input(FOO.replace("m1", "m2"), VALUES);
    assertThat(thread.history(HistoryQuery.newest(20))).hasSize(10);
    var wanted = RunMetadata.stored(WireThread.json("{'run_metadata':'x'}"));
    var query = new HistoryQuery(20, Optional.empty(), wanted, CheckpointRef.newest());
    assertThat(thread.history(query))
        .hasSize(5)
        .allMatch(state -> state.path("metadata").path("run_metadata").asString().equals("x"));
  }

  @Test
  void every_entry_of_history_is_found_by_its_id_and_begins_the_rest() {
    var store = new InMemoryCheckpointer(InstantSource.system(), true);
    var thread = new WireThread(WireGraphs.agent(), store);
    thread.input(FOO, VALUES);
    thread.input(FOO.replace("m1", "m2"), VALUES);
    var all = thread.history(HistoryQuery.newest(20));
    for (int i = 0; i < all.size(); i++) {
      var id = all.get(i).path("checkpoint").path("checkpoint_id").asString();
      assertThat(thread.states.at("T", CheckpointRef.of(id), false)).contains(all.get(i));
      var rest = new HistoryQuery(20, Optional.of(id), Map.of(), CheckpointRef.newest());
      assertThat(thread.states.history("T", rest)).isEqualTo(all.subList(i + 1, all.size()));
      var from = new HistoryQuery(20, Optional.empty(), Map.of(), CheckpointRef.of(id));
      assertThat(thread.states.history("T", from)).isEqualTo(all.subList(i, all.size()));
    }
    assertThat(all.stream().map(state -> state.path("checkpoint").path("checkpoint_id").asString()))
        .isSortedAccordingTo(java.util.Comparator.<String>naturalOrder().reversed());
  }

  @Test
  void unknown_checkpoints_are_not_found() {
    var store = new InMemoryCheckpointer(InstantSource.system(), true);
    var thread = new WireThread(WireGraphs.weather(), store);
    thread.input("{'city':'SF'}", VALUES);
    for (var namespace : List.of("weather_graph:no", "no:no", "weather_graph", "|", "a|b:c")) {
      var ref = new CheckpointRef(Optional.empty(), namespace);
      assertThat(thread.states.at("T", ref, false)).isEmpty();
      assertThat(thread.states.resolve("T", ref)).isEmpty();
    }
    var unknown = CheckpointRef.of("00000000-0000-0000-0000-000000000000");
    assertThat(thread.states.at("T", unknown, false)).isEmpty();
    assertThat(thread.states.at("T", CheckpointRef.of("x"), false)).isEmpty();
  }
}
