package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.error.ConcurrentWrites;
import dev.superstep.graph.internal.kernel.ChannelIndex;
import dev.superstep.graph.internal.kernel.Folding;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.json.Json;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.Node;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How long the values of channels live, in a run and in the store.
@Tag("T76")
@Tag("E23")
class ChannelLifetimeTest {
  static final Channel<String, String> HINT = Channel.ephemeral("hint", String.class);
  static final Channel<List<String>, String> NEWS = Channel.topic("news", String.class);
  static final Channel<String, String> ANY = Channel.any("any", String.class);
  static final Channel<List<String>, String> SEEN = Channel.append("seen", String.class);
  static final Channel<Integer, String> LENGTH =
      Channel.folding("length", Integer.class, String.class, 0, (sum, word) -> sum + word.length());
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  /// What a node sees of the channels that do not last.
  static String seen(State state) {
    return state.find(HINT).orElse("-") + " " + state.get(NEWS);
  }

  static final Node LOOK = (state, context) -> Update.of(SEEN, context.node() + ": " + seen(state));

  /// `nodes` in a row.
  static Graph row(Node... nodes) {
    var builder = Graph.named("row").channels(HINT, NEWS, ANY, SEEN, LENGTH).questions(ASK);
    for (int i = 0; i < nodes.length; i++) {
      builder.node("n" + i, nodes[i]).edge(i == 0 ? START : "n" + (i - 1), "n" + i);
    }
    return builder.edge("n" + (nodes.length - 1), END).compile();
  }

  static Graph beside(Node one, Node two) {
    return Graph.named("beside")
        .channels(HINT, NEWS, ANY, SEEN, LENGTH)
        .node("one", one)
        .node("two", two)
        .edge(START, "one")
        .edge(START, "two")
        .edge("one", END)
        .edge("two", END)
        .compile();
  }

  @Test
  void an_ephemeral_value_and_a_topic_are_seen_in_the_next_superstep_only() throws Exception {
    var graph =
        row(
            (_, _) -> Update.of(HINT, "h").and(NEWS, "a").and(NEWS, "b"),
            LOOK,
            LOOK,
            (_, _) -> Update.of(HINT, "again").and(NEWS, "c"),
            LOOK);
    var state = completed(graph.invoke(Input.none(), kept()));
    assertThat(state.get(SEEN)).containsExactly("n1: h [a, b]", "n2: - []", "n4: again [c]");
    assertThat(state.version(HINT)).isEqualTo(4);
    assertThat(state.version(NEWS)).isEqualTo(4);
  }

  @Test
  void input_is_seen_in_the_first_superstep_only() throws Exception {
    var graph = row(LOOK, LOOK);
    var input = Input.of(HINT, "h").and(NEWS, "a");
    assertThat(completed(graph.invoke(input)).get(SEEN)).containsExactly("n0: h [a]", "n1: - []");
  }

  @Test
  void ephemeral_writes_of_the_last_superstep_are_in_the_outcome_until_the_next_input()
      throws Exception {
    var graph = row(LOOK, (_, _) -> Update.of(HINT, "last").and(NEWS, "last"));
    var options = kept();
    assertThat(seen(completed(graph.invoke(Input.none(), options)))).isEqualTo("last [last]");
    assertThat(seen(graph.state(options).orElseThrow().state())).isEqualTo("last [last]");
    assertThat(completed(graph.invoke(Input.none(), options)).get(SEEN))
        .containsExactly("n0: - []", "n0: - []");
  }

  @Test
  void routers_see_the_writes_of_their_superstep() throws Exception {
    var graph =
        Graph.named("routed")
            .channels(HINT, SEEN, NEWS)
            .node("a", (_, _) -> Update.of(HINT, "b"))
            .node("b", LOOK)
            .edge(START, "a")
            .route("a", state -> state.get(HINT), "b", END)
            .edge("b", END)
            .compile();
    assertThat(completed(graph.invoke(Input.none())).get(SEEN)).containsExactly("b: b []");
  }

  @Test
  void an_ephemeral_value_survives_a_question_and_is_there_for_the_answer_in_another_process()
      throws Exception {
    var graph =
        row(
            (_, _) -> Update.of(HINT, "h").and(NEWS, "a"),
            (state, context) -> Update.of(SEEN, seen(state) + " " + context.interrupt(ASK, "?")),
            LOOK);
    var options = kept();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(completed(graph.resume(Answers.of(open.id(), "x"), options)).get(SEEN))
        .containsExactly("h [a] x", "n2: - []");
  }

  @Test
  void a_cleared_channel_is_cleared_in_the_store_and_keeps_its_version() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph =
        row(
            (_, _) -> Update.of(HINT, "h").and(NEWS, "a"),
            (_, context) -> {
              context.interrupt(ASK, "?");
              return Update.of(ANY, "x");
            },
            (_, _) -> new NoUpdate());
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    completed(graph.resume(Answers.of(open.id(), "x"), options));
    assertThat(store.latest(Lineage.of("t")).orElseThrow().channels())
        .contains(
            new SavedChannel("hint", 2, new SavedChannel.Content.Cleared()),
            new SavedChannel("news", 2, new SavedChannel.Content.Cleared()));
    var state = graph.state(options).orElseThrow().state();
    assertThat(state.find(HINT)).isEmpty();
    assertThat(state.get(NEWS)).isEmpty();
    assertThat(state.version(HINT)).isEqualTo(2);
  }

  @Test
  void a_channel_that_stays_empty_or_the_same_does_not_change() {
    var channels = List.<Channel<?, ?>>of(HINT, NEWS);
    var index = new ChannelIndex("g", channels);
    var at = Snapshot.initial(index);
    var cells = at.copyCells();
    assertThat(new Folding(index).into(cells)).isEmpty();
    var first = new Folding(index);
    first.add(null, Update.of(HINT, "h").and(NEWS, "a").writes());
    assertThat(first.into(cells)).hasSize(2);
    var same = new Folding(index);
    same.add(null, Update.of(HINT, "h").and(NEWS, "a").writes());
    assertThat(same.into(cells)).isEmpty();
    var none = new Folding(index);
    none.add(null, Update.of(HINT, "h").and(Update.all(NEWS, List.of())).writes());
    assertThat(none.into(cells)).containsExactly(new Folding.Changed(1, 0, true));
    assertThat(List.of(cells.version(0), cells.version(1))).containsExactly(1L, 2L);
  }

  @Test
  @Tag("T77")
  void two_writes_to_an_ephemeral_channel_in_one_superstep_are_an_error() {
    var graph = beside((_, _) -> Update.of(HINT, "1"), (_, _) -> Update.of(HINT, "2"));
    assertThat(thrown(ConcurrentWrites.class, () -> graph.invoke(Input.none())))
        .hasMessageContaining("hint");
  }

  @Test
  @Tag("T77")
  void the_last_write_to_an_any_channel_wins_and_persists() throws Exception {
    var graph = beside((_, _) -> Update.of(ANY, "1"), (_, _) -> Update.of(ANY, "2"));
    var options = kept();
    assertThat(completed(graph.invoke(Input.none(), options)).get(ANY)).isEqualTo("2");
    var row = row(LOOK, LOOK);
    assertThat(completed(row.invoke(Input.of(ANY, "stays"), kept())).get(ANY)).isEqualTo("stays");
  }

  /// Nothing that could be stored.
  static final class Connection {
    private final String name;

    Connection(String name) {
      this.name = name;
    }
  }

  static final Channel<Connection, Connection> LINK = Channel.untracked("link", Connection.class);

  @Test
  @Tag("G27")
  void an_untracked_value_is_seen_in_the_run_and_never_stored() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    Node name = (state, _) -> Update.of(SEEN, state.find(LINK).map(c -> c.name).orElse("none"));
    var graph =
        Graph.named("linked")
            .channels(LINK, SEEN)
            .questions(ASK)
            .node("open", (_, _) -> Update.of(LINK, new Connection("mine")))
            // A second task, so that the first one's result is saved by itself.
            .node("beside", name)
            .node("use", name)
            .node("ask", (_, context) -> Update.of(SEEN, context.interrupt(ASK, "?")))
            .node("after", name)
            .edge(START, "open")
            .edge(START, "beside")
            .edge("open", "use")
            .edge("use", "ask")
            .edge("ask", "after")
            .edge("beside", END)
            .edge("after", END)
            .compile();
    var input = Input.of(LINK, new Connection("given"));
    var open = asked(graph.invoke(input, options)).getFirst();
    for (var checkpoint : store.page(Lineage.of("t"), java.util.Optional.empty(), 10)) {
      assertThat(store.byId(Lineage.of("t"), checkpoint.id()).orElseThrow().channels())
          .extracting(SavedChannel::name)
          .doesNotContain("link");
      assertThat(store.tasks(Lineage.of("t"), checkpoint.id()).toString()).doesNotContain("link");
    }
    var state = completed(graph.resume(Answers.of(open.id(), "x"), options));
    assertThat(state.get(SEEN)).containsExactly("given", "mine", "x", "none");
    assertThat(state.find(LINK)).isEmpty();
    assertThat(state.version(LINK)).isZero();
  }

  @Test
  @Tag("T77")
  void two_writes_to_an_untracked_channel_in_one_superstep_are_an_error() {
    Node node = (_, _) -> Update.of(LINK, new Connection("x"));
    var graph =
        Graph.named("twice")
            .channels(LINK)
            .node("a", node)
            .node("b", node)
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    thrown(ConcurrentWrites.class, () -> graph.invoke(Input.none(), kept()));
  }

  static final Channel<List<String>, String> LAST =
      Channel.append("last", String.class).keepLast(3);

  @Test
  @Tag("G8")
  void a_bounded_list_continues_after_a_restart_as_without_one() throws Exception {
    var graph =
        Graph.named("bounded")
            .channels(LAST)
            .node("a", (state, _) -> Update.of(LAST, "echo " + state.get(LAST).getLast()))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept();
    for (int i = 0; i < 20; i++) {
      var state = completed(graph.invoke(Input.of(LAST, "m" + i), options));
      assertThat(state.get(LAST)).hasSize(Math.min(3, 2 * i + 2)).endsWith("m" + i, "echo m" + i);
      assertThat(graph.state(options).orElseThrow().state().get(LAST)).isEqualTo(state.get(LAST));
    }
  }

  @Test
  @Tag("G9")
  void a_custom_fold_is_stored_as_its_value_and_its_writes_as_theirs() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var graph = beside((_, _) -> Update.of(LENGTH, "four"), (_, context) -> Update.of(LENGTH, "x"));
    completed(graph.invoke(Input.of(LENGTH, "three"), options));
    assertThat(completed(graph.invoke(Input.none(), options)).get(LENGTH)).isEqualTo(15);
    assertThat(store.latest(Lineage.of("t")).orElseThrow().channels())
        .extracting(SavedChannel::content)
        .containsExactly(new SavedChannel.Content.Whole(Json.parse("15")));
  }
}
