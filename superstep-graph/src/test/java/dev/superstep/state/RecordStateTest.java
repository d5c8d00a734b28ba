package dev.superstep.state;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.superstep.graph.Graph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T78")
class RecordStateTest {
  record Claim(
      String text,
      List<String> notes,
      long score,
      Map<String, Integer> marks,
      Set<String> tags,
      Integer highest,
      boolean done,
      List<List<String>> table) {
    static final RecordState<Claim> STATE = RecordState.of(Claim.class);
    static final Channel<String, String> TEXT = STATE.latest(Claim::text);
    static final Channel<List<String>, String> NOTES = STATE.append(Claim::notes, String.class);
    static final Channel<Long, Long> SCORE = STATE.sum(Claim::score);
    static final Channel<Map<String, Integer>, Map<String, Integer>> MARKS =
        STATE.merge(Claim::marks, Integer.class);
    static final Channel<Set<String>, String> TAGS = STATE.union(Claim::tags, String.class);
    static final Channel<Integer, Integer> HIGHEST =
        STATE.channel(Claim::highest, Channel.max("highest", Integer.class));
    static final Channel<Boolean, Boolean> DONE = STATE.latest(Claim::done);
    static final Channel<List<List<String>>, List<List<String>>> TABLE = STATE.latest(Claim::table);
  }

  record Half(String left, String right) {}

  @Test
  void nodes_read_the_record_and_write_its_components() throws Exception {
    var graph =
        Graph.named("claims")
            .state(Claim.STATE)
            .node(
                "judge",
                (state, _) -> {
                  var claim = Claim.STATE.read(state);
                  return Update.of(Claim.NOTES, "read " + claim.text())
                      .and(Claim.SCORE, claim.score() + 1)
                      .and(Claim.MARKS, Map.of("a", 1))
                      .and(Claim.TAGS, "new")
                      .and(Claim.HIGHEST, 7)
                      .and(Claim.DONE, !claim.done())
                      .and(Claim.TABLE, List.of(List.of("x"), List.of()));
                })
            .edge(START, "judge")
            .edge("judge", END)
            .compile();
    var outcome = graph.invoke(Input.of(Claim.TEXT, "roof").and(Claim.SCORE, 2L));
    assertThat(Claim.STATE.read(((Outcome.Completed) outcome).state()))
        .isEqualTo(
            new Claim(
                "roof",
                List.of("read roof"),
                5,
                Map.of("a", 1),
                Set.of("new"),
                7,
                true,
                List.of(List.of("x"), List.of())));
    assertThat(graph.topology().channels())
        .extracting(channel -> channel.name() + " " + channel.kind() + " " + channel.type())
        .containsExactly(
            "text latest String",
            "notes append list<String>",
            "score sum Long",
            "marks merge map<Integer>",
            "tags union set<String>",
            "highest max Integer",
            "done latest Boolean",
            "table latest List<List<String>>");
  }

  @Test
  void a_component_that_was_never_written_is_null_or_zero() throws Exception {
    var seen = new java.util.concurrent.atomic.AtomicReference<Claim>();
    var graph =
        Graph.named("claims")
            .state(Claim.STATE)
            .node(
                "read",
                (state, _) -> {
                  seen.set(Claim.STATE.read(state));
                  return dev.superstep.node.NodeResult.nothing();
                })
            .edge(START, "read")
            .edge("read", END)
            .compile();
    graph.invoke(Input.none());
    assertThat(seen.get())
        .isEqualTo(new Claim(null, List.of(), 0, Map.of(), Set.of(), null, false, null));
  }

  @Test
  void a_forgotten_component_is_named() {
    var half = RecordState.of(Half.class);
    half.latest(Half::left);
    assertThatIllegalStateException()
        .isThrownBy(half::channels)
        .withMessageContaining("`right`")
        .withMessageContaining("latest(Half::right)");
  }

  @Test
  void a_component_declared_twice_is_refused() {
    var half = RecordState.of(Half.class);
    half.latest(Half::left);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.latest(Half::left))
        .withMessageContaining("`left` was declared twice");
  }

  @Test
  void a_lambda_instead_of_a_component_is_refused_with_an_example() {
    var half = RecordState.of(Half.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.latest(h -> h.left()))
        .withMessageContaining("Half::left");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.latest(Half::toString))
        .withMessageContaining("Half::left");
  }

  @Test
  void a_channel_must_bear_the_name_of_its_component() {
    var half = RecordState.of(Half.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.channel(Half::left, Channel.latest("right", String.class)))
        .withMessageContaining("`left`");
  }
}
