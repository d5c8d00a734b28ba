package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("T88")
@Tag("T100")
class RestoredTasksTest {
  private static final Channel<Integer, Integer> ITEM = Channel.latest("item", Integer.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Target<Integer> EACH = Target.of("each", Integer.class);

  private final Set<Integer> bad = ConcurrentHashMap.newKeySet();
  private final List<Event> events = new CopyOnWriteArrayList<>();

  private NodeResult work(int item) {
    if (bad.contains(item)) throw new IllegalStateException("item " + item + " is bad");
    return Update.of(LOG, "did " + item);
  }

  private Graph flat() {
    return Graph.named("flat")
        .channels(LOG)
        .node("split", (_, _) -> NodeResult.nothing())
        .node(EACH, (item, _, _) -> work(item))
        .edge(START, "split")
        .fanOut("split", _ -> sends(), EACH)
        .edge("each", END)
        .compile();
  }

  private static List<Send<?>> sends() {
    var sends = new ArrayList<Send<?>>();
    for (int i = 0; i < 5; i++) sends.add(Send.to(EACH, i));
    return sends;
  }

  private Graph nested() {
    return Graph.named("nested")
        .channels(LOG)
        .node("inside", Subgraph.shared(flat()))
        .sequence(START, "inside", END)
        .compile();
  }

  private List<Event.TaskRestored> restored() {
    return events.stream()
        .filter(Event.TaskRestored.class::isInstance)
        .map(Event.TaskRestored.class::cast)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void a_resumption_tells_which_tasks_do_not_run_again_and_what_they_had_written(
      Durability durability) throws Exception {
    for (var graph : List.of(flat(), nested())) {
      bad.clear();
      bad.addAll(List.of(1, 3));
      events.clear();
      var options =
          RunOptions.thread("t")
              .checkpoints(new InMemoryCheckpointer())
              .durability(durability)
              .concurrency(9);
      thrown(NodeFailed.class, () -> graph.invoke(Input.none(), listening(options)));
      assertThat(restored()).isEmpty();
      bad.remove(1);
      events.clear();
      thrown(NodeFailed.class, () -> graph.resume(Answers.none(), listening(options)));
      assertThat(written()).containsExactly("did 0", "did 2", "did 4");
      bad.clear();
      events.clear();
      completed(graph.resume(Answers.none(), listening(options)));
      assertThat(written()).containsExactly("did 0", "did 1", "did 2", "did 4");
      var started = events.stream().filter(Event.NodeStarted.class::isInstance).toList();
      for (var one : restored()) {
        assertThat(started).noneMatch(e -> ((Event.NodeStarted) e).task().equals(one.task()));
        assertThat(one.node()).isEqualTo("each");
      }
    }
  }

  private RunOptions listening(RunOptions options) {
    return options.listener(events::add, Detail.TASKS);
  }

  private List<String> written() {
    return restored().stream()
        .flatMap(one -> one.writes().stream())
        .map(write -> ((SavedWrite.Put) write).value().as(String.class))
        .toList();
  }

  @Test
  void a_listener_that_did_not_ask_for_tasks_hears_their_number_alone() throws Exception {
    bad.add(1);
    var options =
        RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()).listener(events::add);
    thrown(NodeFailed.class, () -> flat().invoke(Input.none(), options));
    bad.clear();
    events.clear();
    completed(flat().resume(Answers.none(), options));
    assertThat(restored()).isEmpty();
    var step = (Event.StepStarted) events.get(1);
    assertThat(step.restored()).isEqualTo(4);
  }

  @Test
  void a_redaction_hides_what_was_written() throws Exception {
    bad.add(1);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    thrown(NodeFailed.class, () -> flat().invoke(Input.none(), options));
    bad.clear();
    completed(flat().resume(Answers.none(), listening(options)));
    for (var one : restored()) {
      var hidden = (Event.TaskRestored) Redaction.payloads().of(one);
      assertThat(hidden.task()).isEqualTo(one.task());
      assertThat(hidden.writes())
          .allMatch(write -> !((SavedWrite.Put) write).value().equals(Json.string("did 0")))
          .hasSize(1);
      assertThat(hidden.json().text()).doesNotContain("did");
    }
    assertThat(restored()).hasSize(4);
  }
}
