package dev.superstep.journal;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.journal.JournalDiff.Difference;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whether two runs told the same, whenever and in whatever thread they were done.
@Tag("G33")
@Timeout(120)
final class JournalDiffTest {
  private static final Channel<Integer, Integer> NUMBER = Channel.latest("number", Integer.class);
  private static final Target<Integer> EACH = Target.of("each", Integer.class);

  private static ThreadJournal asked(String thread, String answer) throws InterruptedException {
    var desk = new Desk(new InMemoryCheckpointer(), thread);
    desk.ask(answer);
    return desk.journal();
  }

  @Test
  void the_journals_of_a_replay_are_equal_apart_from_thread_ids_and_times() throws Exception {
    var one = asked("t", "red");
    var other = asked("u", "red");
    assertThat(Desk.all(one)).isNotEqualTo(Desk.all(other)).hasSizeGreaterThan(8);
    assertThat(JournalDiff.usual().first(one, other)).isEmpty();
    assertThat(JournalDiff.usual().first(one, one)).isEmpty();
  }

  @Test
  void the_first_difference_is_reported_with_its_place() throws Exception {
    var one = asked("t", "red");
    var other = asked("t", "blue");
    var parted = JournalDiff.usual().first(one, other).orElseThrow();
    assertThat(parted.expected()).map(Entry::kind).contains("interrupt.answered");
    assertThat(parted.differences())
        .containsExactly(new Difference("answer", "\"red\"", "\"blue\""));
    assertThat(JournalDiff.usual().ignoring("answer").first(one, other)).isEmpty();
    var answered = JournalDiff.usual().ignoringKinds("interrupt.answered");
    assertThat(answered.first(one, other)).isEmpty();
  }

  @Test
  void a_journal_that_ends_early_differs_at_its_end() throws Exception {
    var one = asked("t", "red");
    var half = Desk.all(one).subList(0, 5);
    var parted = JournalDiff.usual().first(one, half).orElseThrow();
    assertThat(parted.expected()).contains(Desk.all(one).get(5));
    assertThat(parted.actual()).isEqualTo(Optional.empty());
    assertThat(JournalDiff.usual().first(half, one).orElseThrow().expected()).isEmpty();
  }

  @Test
  void an_event_of_another_node_is_a_difference() throws Exception {
    var one = asked("t", "red");
    var other = new ArrayList<Entry>();
    for (var e : one) {
      var json = e.event().text().replace("\"node\":\"a\"", "\"node\":\"z\"");
      other.add(
          new Entry(
              e.offset(),
              e.at(),
              e.run(),
              e.graph(),
              e.path(),
              e.node(),
              e.kind(),
              Json.parse(json)));
    }
    var parted = JournalDiff.usual().first(one, other).orElseThrow();
    assertThat(parted.differences()).contains(new Difference("node", "\"a\"", "\"z\""));
  }

  /// Several graphs at once, which end in this order.
  private static Graph fanOut(List<Integer> order) {
    var turns = new ArrayList<CountDownLatch>();
    for (int i = 0; i <= order.size(); i++) turns.add(new CountDownLatch(1));
    turns.getFirst().countDown();
    var inner =
        Graph.named("inner")
            .channels(NUMBER)
            .node(
                "work",
                (state, context) -> {
                  int turn = order.indexOf(state.get(NUMBER));
                  turns.get(turn).await();
                  context.emit("worked", state.get(NUMBER));
                  turns.get(turn + 1).countDown();
                  return Update.of(NUMBER, 7);
                })
            .edge(START, "work")
            .edge("work", END)
            .compile();
    return Graph.named("outer")
        .channels(Desk.SAID)
        .node("plan", (_, _) -> NodeResult.nothing())
        .node(
            EACH,
            Subgraph.of(
                inner, (Integer n) -> Input.of(NUMBER, n), end -> Update.of(Desk.SAID, "x")))
        .edge(START, "plan")
        .fanOut(
            "plan", _ -> order.stream().sorted().<Send<?>>map(n -> Send.to(EACH, n)).toList(), EACH)
        .edge("each", END)
        .compile();
  }

  @Test
  void the_order_of_parallel_tasks_is_not_a_difference() throws Exception {
    var one = new Desk();
    fanOut(List.of(0, 1, 2)).invoke(Input.none(), one.options());
    var other = new Desk();
    fanOut(List.of(2, 0, 1)).invoke(Input.none(), other.options());
    var worked = EntryFilter.all().kinds("node.emitted");
    assertThat(Desk.all(one.journal().only(worked)).getFirst().event().text())
        .doesNotContain("\"payload\":2");
    assertThat(Desk.all(other.journal().only(worked)).getFirst().event().text())
        .contains("\"payload\":2");
    assertThat(JournalDiff.usual().first(one.journal(), other.journal())).isEmpty();
  }

  @Test
  void a_graph_that_runs_again_gives_names_of_its_own() throws Exception {
    var one = new Desk();
    one.ask("red");
    one.ask("red");
    var other = new Desk();
    other.ask("red");
    var graph = Desk.asking();
    var question = Desk.asked(graph.invoke(Input.none(), other.options()));
    graph.resume(Answers.of(question.id(), "red"), other.options());
    assertThat(JournalDiff.usual().first(one.journal(), other.journal())).isEmpty();
    var parted = JournalDiff.usual().first(one.journal(), asked("t", "red")).orElseThrow();
    assertThat(parted.actual()).isEmpty();
  }
}
