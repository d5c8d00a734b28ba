package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.json.Codec;
import dev.superstep.node.Node;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E19")
@Tag("T73")
class RetryRulesTest {
  private static final Retry RULES =
      Retry.of(2).on(FileNotFoundException.class).or(Retry.of(4).on(IOException.class));

  private final List<Duration> waits = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  /// Throws these, then writes the number of the attempt.
  private static Node failing(Exception... errors) {
    Queue<Exception> left = new ArrayDeque<>(Arrays.asList(errors));
    return (_, context) -> {
      if (!left.isEmpty()) throw left.remove();
      return Update.of(PATH, "attempt " + context.attempt());
    };
  }

  private static Graph graph(Node node, Retry retry) {
    return RetryTest.graph(node, NodePolicy.defaults().retry(retry));
  }

  private RunOptions options() {
    return RunOptions.defaults().sleeper(waits::add).listener(events::add);
  }

  private List<Event.NodeRetried> retried() {
    return events.stream()
        .filter(Event.NodeRetried.class::isInstance)
        .map(Event.NodeRetried.class::cast)
        .toList();
  }

  @Test
  void the_first_rule_that_an_exception_meets_applies_and_events_name_it() throws Exception {
    var node = failing(new IOException("a"), new FileNotFoundException("b"), new IOException("c"));
    var state = completed(graph(node, RULES).invoke(Input.none(), options()));
    assertThat(state.get(PATH)).containsExactly("attempt 4");
    assertThat(retried()).extracting(Event.NodeRetried::rule).containsExactly(1, 0, 1);
    assertThat(retried()).extracting(Event.NodeRetried::most).containsExactly(4, 2, 4);
    assertThat(retried()).extracting(Event.NodeRetried::attempt).containsExactly(2, 3, 4);
  }

  @Test
  void each_rule_counts_its_own_failures() {
    var node =
        failing(
            new IOException("a"),
            new FileNotFoundException("b"),
            new IOException("c"),
            new FileNotFoundException("the second of its kind"));
    var error = thrown(NodeFailed.class, () -> graph(node, RULES).invoke(Input.none(), options()));
    assertThat(error).hasMessageContaining("the second of its kind");
    assertThat(error.attempts()).isEqualTo(4);
  }

  @Test
  void an_exception_that_no_rule_is_for_is_not_retried() {
    var error =
        thrown(
            NodeFailed.class,
            () -> graph(failing(new SQLException("no")), RULES).invoke(Input.none(), options()));
    assertThat(error.attempts()).isEqualTo(1);
    assertThat(waits).isEmpty();
  }

  @Test
  void a_rule_waits_by_its_own_failures() throws Exception {
    var quick = Retry.of(9).on(FileNotFoundException.class);
    var slow =
        Retry.of(9).on(IOException.class).backoff(Duration.ofHours(1), 2, Duration.ofHours(8));
    var errors = new Exception[] {new FileNotFoundException(), new FileNotFoundException()};
    completed(graph(failing(errors), slow.or(quick)).invoke(Input.none(), options()));
    assertThat(waits).hasSize(2);
    waits.clear();
    completed(graph(failing(errors), quick.or(slow)).invoke(Input.none(), options()));
    assertThat(waits).allSatisfy(wait -> assertThat(wait).isLessThan(Duration.ofSeconds(1)));
    waits.clear();
    var first = new Exception[] {new FileNotFoundException(), new IOException()};
    completed(graph(failing(first), quick.or(slow)).invoke(Input.none(), options()));
    assertThat(waits.getLast()).isLessThanOrEqualTo(Duration.ofHours(1));
  }

  @Test
  void a_rule_for_a_type_is_met_by_a_cause_and_also_where_no_retry_would_be_worthwhile()
      throws Exception {
    var wrapped = new UncheckedIOException(new FileNotFoundException());
    completed(graph(failing(wrapped), RULES).invoke(Input.none(), options()));
    assertThat(retried()).extracting(Event.NodeRetried::rule).containsExactly(0);
    events.clear();
    var mistake = Retry.of(2).on(IllegalArgumentException.class);
    completed(
        graph(failing(new IllegalArgumentException("no")), mistake)
            .invoke(Input.none(), options()));
    assertThat(retried()).hasSize(1);
  }

  @Test
  void a_step_follows_rules_as_a_node_does() throws Exception {
    var errors = new ArrayDeque<Exception>(List.of(new IOException(), new FileNotFoundException()));
    Node node =
        (_, context) ->
            Update.of(
                PATH,
                context.step(
                    "fetch",
                    String.class,
                    RULES,
                    () -> {
                      if (!errors.isEmpty()) throw errors.remove();
                      return "fetched";
                    }));
    var graph =
        Graph.named("steps")
            .channels(PATH)
            .node("a", node)
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var options = kept().sleeper(waits::add).listener(events::add);
    assertThat(completed(graph.invoke(Input.none(), options)).get(PATH)).containsExactly("fetched");
    assertThat(retried()).extracting(Event.NodeRetried::rule).containsExactly(1, 0);
    assertThat(retried()).extracting(Event.NodeRetried::point).containsOnly("fetch");
  }

  /// Against the meaning, written as a sum over kinds: a run survives if no kind fails more often
  /// than its first fitting rule allows.
  @Test
  void whatever_fails_in_whatever_order_a_node_survives_if_no_rule_is_used_up() throws Exception {
    var random = new SplittableRandom(18);
    List<Class<? extends Exception>> kinds =
        List.of(FileNotFoundException.class, IOException.class, SQLException.class);
    int failed = 0;
    for (int i = 0; i < 200; i++) {
      int[] allowed = {random.nextInt(1, 4), random.nextInt(1, 4), random.nextInt(1, 4)};
      var retry = Retry.of(allowed[0]).on(kinds.get(0));
      for (int k = 1; k < 3; k++) retry = retry.or(Retry.of(allowed[k]).on(kinds.get(k)));
      int[] thrown = new int[3];
      boolean survives = true;
      var errors = new Exception[random.nextInt(6)];
      for (int e = 0; e < errors.length; e++) {
        int kind = random.nextInt(3);
        errors[e] = kinds.get(kind).getConstructor().newInstance();
        survives &= ++thrown[kind] < allowed[kind];
      }
      var graph = graph(failing(errors), retry);
      if (survives) {
        var path = completed(graph.invoke(Input.none(), options())).get(PATH);
        assertThat(path).containsExactly("attempt " + (errors.length + 1));
      } else {
        failed++;
        thrown(NodeFailed.class, () -> graph.invoke(Input.none(), options()));
      }
    }
    assertThat(failed).isBetween(20, 180);
  }

  @Test
  void an_event_of_the_first_rule_is_stored_as_before_there_were_several() throws Exception {
    completed(
        graph(failing(new FileNotFoundException(), new IOException()), RULES)
            .invoke(Input.none(), options()));
    var codec = Codec.of(Event.class);
    assertThat(codec.encode(retried().getFirst()).text()).doesNotContain("rule");
    for (var event : retried()) {
      assertThat(codec.decode(codec.encode(event))).isEqualTo(event);
    }
  }

  @Test
  void rules_are_flat_and_say_so() {
    assertThat(RULES.or(Retry.of(7)).rules()).extracting(Retry::attempts).containsExactly(2, 4, 7);
    assertThat(RULES.backoff(Duration.ZERO, 1, Duration.ZERO).rules()).hasSize(2);
    assertThatIllegalArgumentException().isThrownBy(() -> Retry.of(2).on());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Retry(1, Duration.ZERO, 1, Duration.ZERO, _ -> true, List.of(RULES)))
        .withMessageContaining("others");
  }
}
