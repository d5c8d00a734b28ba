package dev.superstep.lobe;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.lobe.InspectionPolicy.Ruling;
import dev.superstep.lobe.InspectionRequest.Subject;
import dev.superstep.node.Approval;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E24")
class LobesTest {
  static final Channel<String, String> TASK = Channel.latest("task", String.class);
  static final Channel<String, String> SECRET = Channel.latest("secret", String.class);
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, Approval> SURE = Question.of("sure", String.class, Approval.class);

  /// One that says its name.
  private static Lobe talker(String name) {
    return Lobe.named(name, _ -> Update.of(SAID, name)).writes(SAID);
  }

  private static GraphBuilder around(Lobes mind) {
    return mind.addTo(Graph.named("g").channels(TASK, SECRET, SAID)).edge(START, mind.entry());
  }

  private static State run(Graph graph) throws InterruptedException {
    return run(graph, RunOptions.defaults());
  }

  private static State run(Graph graph, RunOptions options) throws InterruptedException {
    var input = Input.of(TASK, "think").and(SECRET, "42");
    return ((Outcome.Completed) graph.invoke(input, options)).state();
  }

  @Test
  void the_most_important_lobes_are_given_turns_as_far_as_the_budget_goes() throws Exception {
    var mind =
        Lobes.named("mind", 5)
            .lobes(
                talker("low").priority(1).cost(2),
                talker("high").priority(9).cost(3),
                talker("middle").priority(5).cost(3),
                talker("free").priority(0).cost(0));
    var end = run(around(mind).compile());
    var round = end.get(mind.round());
    assertThat(round.chosen()).containsExactly("high", "low", "free");
    assertThat(round.passedOver()).containsExactly(new Round.PassedOver("middle", 3, 2));
    assertThat(round.spent()).isEqualTo(5);
    assertThat(end.get(SAID))
        .as("in the order of declaration")
        .containsExactly("low", "high", "free");
  }

  @Test
  void of_lobes_with_equal_priority_the_first_added_gets_the_turn() throws Exception {
    var mind = Lobes.named("mind", 1).lobes(talker("a"), talker("b"));
    assertThat(run(around(mind).compile()).get(mind.round()).chosen()).containsExactly("a");
  }

  @Test
  void a_skipped_lobe_is_published() throws Exception {
    var told = new CopyOnWriteArrayList<String>();
    var mind = Lobes.named("mind", 1).lobes(talker("a"), talker("b").cost(4));
    run(around(mind).compile(), RunOptions.defaults().listener(event -> hear(event, told)));
    assertThat(told).containsExactly("lobe.passed_over {\"lobe\":\"b\",\"cost\":4,\"left\":0}");
  }

  private static void hear(Event event, List<String> told) {
    if (event instanceof Event.NodeEmitted emitted) {
      told.add(emitted.name() + " " + emitted.payload().text());
    }
  }

  @Test
  void a_lobe_bids_for_a_turn_by_its_visible_channels() throws Exception {
    var mind =
        Lobes.named("mind", 9)
            .lobes(
                talker("yes").reads(TASK).when(seen -> seen.get(TASK).equals("think")),
                talker("no").reads(TASK).when(seen -> seen.find(TASK).isEmpty()));
    assertThat(run(around(mind).compile()).get(SAID)).containsExactly("yes");
  }

  @Test
  void a_round_without_a_bid_leads_to_the_next_node() throws Exception {
    var mind = Lobes.named("mind", 9).lobes(talker("no").when(_ -> false)).then("after");
    var graph =
        around(mind).node("after", (_, _) -> Update.of(SAID, "after")).edge("after", END).compile();
    assertThat(run(graph).get(SAID)).containsExactly("after");
  }

  @Test
  void the_next_node_runs_once_after_all_lobes() throws Exception {
    var mind = Lobes.named("mind", 9).lobes(talker("a"), talker("b"), talker("c")).then("after");
    var graph =
        around(mind).node("after", (_, _) -> Update.of(SAID, "after")).edge("after", END).compile();
    assertThat(run(graph).get(SAID)).containsExactly("a", "b", "c", "after");
  }

  @Test
  void undeclared_channels_are_hidden_from_a_lobe() {
    var peeking =
        Lobe.named(
            "peeking",
            lobe -> {
              assertThat(lobe.get(TASK)).isEqualTo("think");
              return Update.of(SAID, lobe.get(SECRET));
            });
    var mind = Lobes.named("mind", 1).lobes(peeking.reads(TASK).writes(SAID));
    assertThatThrownBy(() -> run(around(mind).compile()))
        .isInstanceOf(NodeFailed.class)
        .hasRootCauseInstanceOf(HiddenChannel.class)
        .rootCause()
        .hasMessageContaining("Lobe `peeking` read channel `secret`");
    var deciding = Lobes.named("mind", 1).lobes(talker("a").when(s -> s.version(SECRET) > 0));
    assertThatThrownBy(() -> run(around(deciding).compile()))
        .hasRootCauseInstanceOf(HiddenChannel.class);
  }

  @Test
  void a_lobe_cannot_write_undeclared_channels() {
    var mind = Lobes.named("mind", 1).lobes(Lobe.named("a", _ -> Update.of(TASK, "other")));
    assertThatThrownBy(() -> run(around(mind).compile()))
        .hasRootCauseInstanceOf(InvalidUse.class)
        .rootCause()
        .hasMessageContaining("does not declare");
  }

  private static Lobe inspector(String name) {
    return Lobe.named(
            name,
            lobe ->
                Update.of(
                    SAID,
                    switch (lobe.inspect(SECRET)) {
                      case Inspection.Granted<String>(var value) ->
                          name + " saw " + value.orElse("-");
                      case Inspection.Denied<String>(var reason) -> name + " did not: " + reason;
                    }))
        .writes(SAID);
  }

  @Test
  void an_inspection_is_granted_or_denied_by_the_policy_and_published() throws Exception {
    var told = new CopyOnWriteArrayList<String>();
    var mind =
        Lobes.named("mind", 9)
            .lobes(inspector("a"), inspector("b"))
            .inspectable(SECRET)
            .policy(r -> r.lobe().equals("a") ? Ruling.grant() : Ruling.deny("not you"));
    var options = RunOptions.defaults().concurrency(1).listener(event -> hear(event, told));
    var end = run(around(mind).compile(), options);
    assertThat(end.get(SAID)).containsExactly("a saw 42", "b did not: not you");
    var secret = new Subject.OfChannel("secret");
    assertThat(end.get(mind.inspections()))
        .containsExactly(
            new Inspected(new InspectionRequest(1, "a", secret), Ruling.grant()),
            new Inspected(new InspectionRequest(1, "b", secret), Ruling.deny("not you")));
    assertThat(told).hasSize(2).allMatch(one -> one.startsWith("lobe.inspected "));
    assertThat(told.getLast()).contains("\"granted\":false", "\"reason\":\"not you\"");
  }

  @Test
  void data_that_is_not_inspectable_is_denied_by_every_policy() throws Exception {
    var mind = Lobes.named("mind", 9).lobes(inspector("a"));
    var end = run(around(mind).compile());
    assertThat(end.get(SAID)).containsExactly("a did not: it is not inspectable");
    assertThat(end.get(mind.inspections())).hasSize(1);
  }

  @Test
  void visible_channels_need_no_inspection() throws Exception {
    var mind =
        Lobes.named("mind", 9)
            .lobes(inspector("a").reads(SECRET))
            .policy(InspectionPolicy.denying());
    var end = run(around(mind).compile());
    assertThat(end.get(SAID)).containsExactly("a saw 42");
    assertThat(end.get(mind.inspections())).isEmpty();
  }

  @Test
  void notes_last_from_round_to_round_and_others_see_them_if_they_may() throws Exception {
    var writer =
        Lobe.named(
            "writer",
            lobe -> {
              lobe.note("round " + lobe.round().number() + " after " + lobe.notes().size());
              return Lobe.nothing();
            });
    var reader =
        Lobe.named(
                "reader",
                lobe ->
                    Update.of(
                        SAID,
                        switch (lobe.inspectNotes("writer")) {
                          case Inspection.Granted<List<Note>>(var notes) ->
                              notes.orElseThrow().stream().map(Note::text).toList().toString();
                          case Inspection.Denied<List<Note>>(var reason) -> reason;
                        }))
            .writes(SAID);
    var mind =
        Lobes.named("mind", 9)
            .lobes(writer, reader)
            .policy(r -> r.round() == 3 ? Ruling.deny("enough") : Ruling.grant())
            .then("again");
    var graph =
        around(mind)
            .node("again", (_, _) -> Lobe.nothing())
            .route(
                "again",
                state -> state.get(mind.round()).number() < 3 ? mind.entry() : END,
                mind.entry(),
                END)
            .compile();
    var end = run(graph);
    assertThat(end.get(SAID)).containsExactly("[]", "[round 1 after 0]", "enough");
    assertThat(end.get(mind.notes()))
        .containsExactly(
            new Note(1, "writer", "round 1 after 0"),
            new Note(2, "writer", "round 2 after 1"),
            new Note(3, "writer", "round 3 after 2"));
  }

  @Test
  void only_the_newest_notes_are_saved_with_the_thread() throws Exception {
    var noting =
        Lobe.named(
            "noting",
            lobe -> {
              for (int i = 0; i < 3; i++) lobe.note(lobe.round().number() + "." + i);
              return Lobe.nothing();
            });
    var mind = Lobes.named("mind", 9).lobes(noting).keepNotes(4);
    var graph = around(mind).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    run(graph, options);
    assertThat(run(graph, options).get(mind.notes()))
        .extracting(Note::text)
        .containsExactly("1.2", "2.0", "2.1", "2.2");
    assertThatIllegalStateException().isThrownBy(() -> mind.keepNotes(5));
  }

  @Test
  void a_lobe_that_asks_a_person_resumes_with_the_answer_and_writes_its_notes_once()
      throws Exception {
    var asking =
        Lobe.named(
                "asking",
                lobe -> {
                  lobe.note("asked");
                  var answer = lobe.node().interrupt(SURE, "really?");
                  return Update.of(SAID, answer.approved() ? "yes" : "no");
                })
            .writes(SAID);
    var mind = Lobes.named("mind", 9).lobes(asking, talker("b"));
    var graph = around(mind).questions(SURE).compile();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var waiting = (Outcome.Interrupted) graph.invoke(Input.none(), options);
    var yes = SURE.answer(waiting.questions().getFirst(), Approval.yes());
    var end = ((Outcome.Completed) graph.resume(Answers.none().and(yes), options)).state();
    assertThat(end.get(SAID)).containsExactly("yes", "b");
    assertThat(end.get(mind.notes())).extracting(Note::text).containsExactly("asked");
  }

  @Test
  void a_lobe_that_fails_is_handled_by_its_policy_and_leaves_no_notes() throws Exception {
    var failing =
        Lobe.named(
                "failing",
                lobe -> {
                  lobe.note("before the end");
                  throw new IllegalStateException("no idea");
                })
            .policy(NodePolicy.defaults().onFailure(OnFailure.skip()));
    var mind = Lobes.named("mind", 9).lobes(failing, talker("b"));
    var end = run(around(mind).compile());
    assertThat(end.get(SAID)).containsExactly("b");
    assertThat(end.get(mind.notes())).isEmpty();
  }

  @Test
  void two_minds_are_in_one_graph_under_two_names() throws Exception {
    var one = Lobes.named("one", 1).lobes(talker("a"));
    var other = Lobes.named("other", 1).lobes(talker("a"));
    var builder = around(one.then(other.entry()));
    assertThat(run(other.addTo(builder).compile()).get(SAID)).containsExactly("a", "a");
  }

  @Test
  void a_mind_that_makes_no_sense_is_refused() {
    assertThatIllegalStateException().isThrownBy(() -> Lobes.named("m", 1).addTo(Graph.named("g")));
    assertThatIllegalArgumentException().isThrownBy(() -> Lobes.named("M", 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Lobes.named("m", -1));
    assertThatIllegalArgumentException().isThrownBy(() -> talker("A"));
    assertThatIllegalArgumentException().isThrownBy(() -> talker("a").cost(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lobes.named("m", 1).lobes(talker("a"), talker("a")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lobes.named("m", 1).lobes(talker("attend")));
  }
}
