package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.error.NodeFailed;
import dev.superstep.node.Approval;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.ThreadState;
import dev.superstep.run.ThreadState.DueTask;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("T88")
@Tag("E14")
class DueTasksTest {
  private static final Channel<Integer, Integer> ITEM = Channel.latest("item", Integer.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Target<Integer> EACH = Target.of("each", Integer.class);
  private static final Question<Integer, Approval> SURE =
      Question.of("sure", Integer.class, Approval.class);

  /// What a task does, by the number that it is sent.
  private enum Role {
    FINISHES,
    ASKS,
    FAILS
  }

  private final Map<Integer, Role> roles = new TreeMap<>();
  private final Map<Integer, Integer> runs = new ConcurrentHashMap<>();

  private NodeResult work(int item, dev.superstep.node.NodeContext context) {
    runs.merge(item, 1, Integer::sum);
    return switch (roles.get(item)) {
      case FINISHES -> Update.of(LOG, "did " + item);
      case ASKS -> Update.of(LOG, "asked " + item + context.interrupt(SURE, item).approved());
      case FAILS -> throw new IllegalStateException("item " + item + " is bad");
    };
  }

  private Graph each(boolean nested) {
    var inner =
        Graph.named("inner")
            .channels(ITEM, LOG)
            .questions(SURE)
            .node("work", (state, context) -> work(state.get(ITEM), context))
            .edge(START, "work")
            .edge("work", END)
            .compile();
    var builder =
        Graph.named("each")
            .channels(LOG)
            .questions(SURE)
            .node("split", (_, _) -> Update.of(LOG, "split"))
            .edge(START, "split")
            .edge("each", END);
    var made =
        nested
            ? builder.node(
                EACH,
                Subgraph.of(
                    inner, item -> Input.of(ITEM, item), end -> Update.all(LOG, end.get(LOG))))
            : builder.node(EACH, (item, _, context) -> work(item, context));
    return made.fanOut("split", _ -> sends(), EACH).compile();
  }

  private List<Send<?>> sends() {
    var sends = new ArrayList<Send<?>>();
    for (var item : roles.keySet()) sends.add(Send.to(EACH, item));
    return sends;
  }

  private static Stream<Arguments> cases() {
    var cases = new ArrayList<Arguments>();
    for (var durability : Durability.values()) {
      for (boolean nested : List.of(false, true)) {
        for (boolean encrypted : List.of(false, true)) {
          cases.add(Arguments.of(durability, nested, encrypted));
        }
      }
    }
    return cases.stream();
  }

  private static Checkpointer store(boolean encrypted) {
    var memory = new InMemoryCheckpointer();
    return encrypted ? EncryptedCheckpointer.over(memory, KeyRing.of("k", new byte[32])) : memory;
  }

  /// Whatever part of the tasks finished, asked or failed: the state says which, with what they
  /// wrote, and exactly the others run again.
  @ParameterizedTest
  @MethodSource("cases")
  void the_state_tells_which_due_tasks_have_finished_and_what_they_wrote(
      Durability durability, boolean nested, boolean encrypted) throws Exception {
    var random = new SplittableRandom(31);
    for (int i = 0; i < 12; i++) {
      roles.clear();
      runs.clear();
      int tasks = random.nextInt(2, 7);
      for (int item = 0; item < tasks; item++) {
        roles.put(item, Role.values()[random.nextInt(i % 2 == 0 ? 2 : 3)]);
      }
      var options = RunOptions.thread("t").checkpoints(store(encrypted)).durability(durability);
      check(each(nested), options.concurrency(1));
    }
  }

  private void check(Graph graph, RunOptions options) throws Exception {
    boolean fails = roles.containsValue(Role.FAILS);
    boolean asks = roles.containsValue(Role.ASKS);
    if (fails) thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options));
    else if (asks) asked(graph.invoke(Input.none(), options));
    else completed(graph.invoke(Input.none(), options));
    var state = graph.state(options).orElseThrow();
    if (!fails && !asks) {
      assertThat(state.tasks()).isEmpty();
      return;
    }
    assertThat(state.state().get(LOG)).containsExactly("split");
    assertThat(state.tasks()).extracting(DueTask::node).containsOnly("each");
    var before = Map.copyOf(runs);
    var finished = new ArrayList<Integer>();
    for (int item : roles.keySet()) {
      var task = state.tasks().get(item);
      assertThat(task.name()).isEqualTo("each#" + item);
      if (task.isFinished()) {
        finished.add(item);
        assertThat(roles.get(item)).isEqualTo(Role.FINISHES);
        assertThat(task.read(LOG)).containsExactly("did " + item);
        assertThat(task.failure()).isEmpty();
      } else {
        assertThat(task.writes()).isEmpty();
        task.failure()
            .ifPresent(failed -> {
              assertThat(roles.get(item)).isEqualTo(Role.FAILS);
              assertThat(failed.message()).contains("item " + item + " is bad");
            });
        assertThat(task.questions().isEmpty()).isNotEqualTo(isAsking(item, before));
      }
    }
    // The first failure stops those that come after it.
    if (!fails) assertThat(finished).hasSize((int) count(Role.FINISHES));
    roles.replaceAll((_, role) -> role == Role.FAILS ? Role.FINISHES : role);
    var answers = Answers.none();
    for (var question : state.questions()) {
      answers = answers.and(Answers.of(question.id(), SURE, Approval.yes()));
    }
    finish(graph, options, answers);
    for (int item : finished) assertThat(runs.get(item)).isEqualTo(before.get(item));
    assertThat(graph.state(options).orElseThrow().tasks()).isEmpty();
  }

  private boolean isAsking(int item, Map<Integer, Integer> before) {
    return roles.get(item) == Role.ASKS && before.containsKey(item);
  }

  private long count(Role role) {
    return roles.values().stream().filter(role::equals).count();
  }

  private void finish(Graph graph, RunOptions options, Answers first) throws Exception {
    var answers = first;
    for (int i = 0; i < 9; i++) {
      var outcome = graph.resume(answers, options);
      if (!(outcome instanceof dev.superstep.run.Outcome.Interrupted(var questions))) {
        assertThat(completed(outcome).get(LOG)).hasSize(roles.size() + 1);
        return;
      }
      answers = Answers.none();
      for (var question : questions)
        answers = answers.and(Answers.of(question.id(), SURE, Approval.yes()));
    }
    throw new AssertionError("it still asks");
  }

  @Test
  void an_answered_question_is_no_longer_among_those_of_its_task() throws Exception {
    roles.put(0, Role.ASKS);
    roles.put(1, Role.ASKS);
    roles.put(2, Role.FINISHES);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var graph = each(false);
    var first = asked(graph.invoke(Input.none(), options)).getFirst();
    graph.resume(Answers.of(first.id(), SURE, Approval.yes()), options);
    var tasks = graph.state(options).orElseThrow().tasks();
    assertThat(tasks).extracting(DueTask::isFinished).containsExactly(true, false, true);
    assertThat(tasks.getFirst().read(LOG)).containsExactly("asked 0true");
    assertThat(tasks.getFirst().questions()).isEmpty();
    assertThat(tasks.get(1).questions())
        .extracting(Interrupt::task)
        .containsOnly(tasks.get(1).id());
  }

  @Test
  void an_older_checkpoint_tells_how_the_tasks_from_there_ended() throws Exception {
    roles.put(0, Role.FINISHES);
    roles.put(1, Role.FINISHES);
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph = each(false);
    completed(graph.invoke(Input.none(), options));
    var states = new ArrayList<ThreadState>();
    for (var one : graph.history(java.util.Optional.empty(), 9, options)) {
      states.add(graph.state(one.id(), options).orElseThrow());
    }
    assertThat(states.get(1).tasks()).hasSize(2).allMatch(DueTask::isFinished);
    var forked = Threads.in(store).fork("t", states.get(1).checkpoint(), "f");
    var there = options.on("f", store);
    assertThat(graph.state(there).orElseThrow().checkpoint()).isEqualTo(forked.id());
    assertThat(graph.state(there).orElseThrow().tasks()).noneMatch(DueTask::isFinished);
  }
}
