package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.json.Json;
import dev.superstep.node.Failure;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Migration;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the slots of a state promise, on threads that are stored, forked and resumed.
class StateKeysTest {
  record Draft(String text) {}

  record Rated(String text, int stars) {}

  private static final Channel<Draft, Draft> DRAFT_1 =
      Channel.latest("press:draft:v1", Draft.class);
  private static final Channel<Rated, Rated> DRAFT_2 =
      Channel.latest("press:draft:v2", Rated.class);
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Channel<Long, Long> TICKET = Channel.untracked("ticket", Long.class);
  private static final Channel<Map<String, Integer>, Map<String, Integer>> STOCK =
      Channel.merge("stock", Integer.class);
  private static final Channel<Json, Json> META = Channel.patch("meta");
  private static final Channel<List<Integer>, Integer> BEST =
      Channel.append("best", Integer.class)
          .dedupBy(number -> "" + number)
          .keepTop(3, Integer::compare)
          .keepLast(2);
  private static final Channel<String, String> ONE = Channel.token("one", String.class);
  private static final Channel<Set<String>, String> BOTH =
      Channel.barrier("both", Set.of("left", "right"));
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private static Node writing(Update update) {
    return (_, _) -> update;
  }

  private static Graph asking(Channel<?, ?> channel, Update first) {
    return Graph.named("asking")
        .channels(channel, LOG)
        .questions(ASK)
        .node("first", writing(first))
        .node("ask", (_, context) -> Update.of(LOG, context.interrupt(ASK, "?")))
        .edge(START, "first")
        .edge("first", "ask")
        .edge("ask", END)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("G27")
  void a_key_with_a_version_is_migrated_to_the_next_one_in_the_middle_of_a_run(Durability when)
      throws Exception {
    var options = kept().durability(when);
    var old = asking(DRAFT_1, Update.of(DRAFT_1, new Draft("hello")));
    var open = asked(old.invoke(Input.none(), options)).getFirst();
    var now = asking(DRAFT_2, Update.of(DRAFT_2, new Rated("hello", 5)));
    var migration =
        Migration.between(old.topology().hash(), now.topology().hash())
            .renameChannel("press:draft:v1", "press:draft:v2")
            .transform(
                "press:draft:v2", json -> Json.of(new Rated(json.as(Draft.class).text(), 0)));
    var answers = Answers.of(open.id(), "go on");
    var end = completed(now.resume(answers, options.migrations(migration)));
    assertThat(end.get(DRAFT_2)).isEqualTo(new Rated("hello", 0));
    assertThat(end.get(LOG)).containsExactly("go on");
  }

  @Test
  @Tag("G27")
  void a_key_of_a_run_is_neither_stored_nor_compared() throws Exception {
    var ids = new AtomicLong();
    var graph =
        Graph.named("ticket")
            .channels(TICKET, LOG)
            .node("draw", (_, _) -> Update.of(TICKET, ids.incrementAndGet()))
            .node("use", (_, context) -> Update.of(LOG, context.node()))
            .edge(START, "draw")
            .edge("draw", "use")
            .edge("use", END)
            .compile();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    assertThat(completed(graph.invoke(Input.none(), options)).get(TICKET)).isEqualTo(1);
    var saved = store.latest(Lineage.of("t")).orElseThrow();
    assertThat(saved.channels()).extracting(SavedChannel::name).containsExactly("log");
    // Another ticket is drawn, and the replay is equal.
    assertThat(Replay.of(graph, store).thread("t").run().text())
        .isEqualTo("2 supersteps agree.\nNot compared: channel `ticket`, which is never stored.\n");
    assertThat(ids).hasValue(2);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("G7")
  @Tag("A9")
  void maps_lose_entries_and_documents_members_and_lists_are_cut_in_several_ways(Durability when)
      throws Exception {
    var graph =
        Graph.named("reducers")
            .channels(STOCK, META, BEST, LOG)
            .questions(ASK)
            .node(
                "fill",
                writing(
                    Update.of(STOCK, Map.of("tea", 1, "salt", 2))
                        .and(META, Json.parse("{\"shop\":{\"open\":true,\"owner\":\"Ada\"}}"))
                        .and(Update.all(BEST, List.of(5, 1, 5, 9, 7, 3)))))
            .node("ask", (_, context) -> Update.of(LOG, context.interrupt(ASK, "?")))
            .node(
                "empty",
                writing(
                    Update.remove(STOCK, "salt")
                        .and(META, Json.parse("{\"shop\":{\"owner\":null}}"))
                        .and(BEST, 8)))
            .edge(START, "fill")
            .edge("fill", "ask")
            .edge("ask", "empty")
            .edge("empty", END)
            .compile();
    var options = kept().durability(when);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var before = graph.state(options).orElseThrow().state();
    assertThat(before.get(STOCK)).containsOnlyKeys("tea", "salt");
    assertThat(before.get(BEST)).as("the best three, of these the last two").containsExactly(9, 7);
    var end = completed(graph.resume(Answers.of(open.id(), "go on"), options));
    assertThat(end.get(STOCK)).isEqualTo(Map.of("tea", 1));
    assertThat(end.get(META)).isEqualTo(Json.parse("{\"shop\":{\"open\":true}}"));
    assertThat(end.get(BEST)).containsExactly(7, 8);
  }

  /// Two tokens, one of which triggers a node, and a barrier that two nodes have to reach.
  private static Graph consuming(Channel<Long, Long> gate) {
    return Graph.named("consuming")
        .channels(ONE, BOTH, LOG, gate)
        .questions(ASK)
        .node("begin", writing(Update.of(ONE, "token").and(BOTH, "left")))
        .node("taker", (state, _) -> Update.of(LOG, "took " + state.get(ONE)).and(BOTH, "right"))
        .node(
            "met",
            (state, context) ->
                Update.of(LOG, "met " + state.get(BOTH).size() + context.interrupt(ASK, "?")))
        .node("gated", (_, _) -> Update.of(LOG, "gated"))
        .edge(START, "begin")
        .edge(START, "gated")
        .edge("begin", END)
        .edge("taker", END)
        .edge("met", "gated")
        .edge("gated", END)
        .trigger("taker", ONE)
        .trigger("met", BOTH)
        .runWhenChanged("gated", gate)
        .compile();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("T78")
  void channels_are_consumed_when_their_node_has_run_and_what_a_gate_saw_is_kept(Durability when)
      throws Exception {
    var gate = Channel.sum("gate");
    var options = kept().durability(when);
    var graph = consuming(gate);
    var open = asked(graph.invoke(Input.of(gate, 1L), options)).getFirst();
    var waiting = graph.state(options).orElseThrow().state();
    assertThat(waiting.find(ONE)).as("consumed by the node that it triggered").isEmpty();
    assertThat(waiting.find(BOTH)).as("until the node that it triggered has run").isPresent();
    assertThat(waiting.version(gate)).isEqualTo(1);
    var end = completed(consuming(gate).resume(Answers.of(open.id(), "!"), options));
    assertThat(end.find(BOTH)).isEmpty();
    // The gate has not changed since its node ran, in whatever process that was.
    assertThat(end.get(LOG)).containsExactly("gated", "took token", "met 2!");
    var more = graph.invoke(Input.of(gate, 1L), options);
    assertThat(asked(more)).hasSize(1);
    assertThat(graph.state(options).orElseThrow().state().get(LOG))
        .as("it has changed")
        .containsExactly("gated", "took token", "met 2!", "gated", "took token");
  }

  @Test
  @Tag("T78")
  void a_state_may_be_one_value() throws Exception {
    var whole = Channel.latest("state", Draft.class);
    var graph =
        Graph.named("single")
            .channels(whole)
            .node("upper", (s, _) -> Update.of(whole, new Draft(s.get(whole).text() + "!")))
            .edge(START, "upper")
            .edge("upper", END)
            .compile();
    var options = kept();
    var end = completed(graph.invoke(Input.of(whole, new Draft("hi")), options));
    assertThat(end.get(whole)).isEqualTo(new Draft("hi!"));
    assertThat(graph.state(options).orElseThrow().state().get(whole)).isEqualTo(new Draft("hi!"));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @Tag("G29")
  void a_failure_is_state_with_its_node_task_code_and_argument(Durability when) throws Exception {
    var item = Target.of("item", Integer.class);
    var failures = Channel.append("failures", Failure.class);
    var graph =
        Graph.named("failing")
            .channels(LOG, failures)
            .questions(ASK)
            .node(
                item,
                (number, _, _) -> {
                  if (number == 2) throw new IOException("no paper", new IOException("jam"));
                  return NodeResult.nothing();
                },
                NodePolicy.defaults().onFailure(OnFailure.skip().recordedIn(failures)))
            .node("ask", (_, context) -> Update.of(LOG, context.interrupt(ASK, "?")))
            .fanOut(START, _ -> List.of(Send.to(item, 1), Send.to(item, 2)), item)
            .edge("item", "ask")
            .edge("ask", END)
            .compile();
    var options = kept().durability(when);
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    var end = completed(graph.resume(Answers.of(open.id(), "x"), options));
    var failure = end.get(failures).getFirst();
    assertThat(end.get(failures)).hasSize(1);
    assertThat(failure.node()).isEqualTo("item");
    assertThat(failure.task()).isNotEmpty();
    assertThat(failure.code()).isEqualTo("java.io.IOException");
    assertThat(failure.message()).isEqualTo("IOException: no paper");
    assertThat(failure.argument()).contains(Json.parse("2"));
  }
}
