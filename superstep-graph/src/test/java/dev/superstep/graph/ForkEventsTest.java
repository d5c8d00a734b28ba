package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Event.ContextJoined.How;
import dev.superstep.event.Kind;
import dev.superstep.json.Codec;
import dev.superstep.node.Node;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// When it is told that items of a parallel begin and end.
@Tag("T87")
@Tag("T100")
@Timeout(60)
class ForkEventsTest {
  static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  static final Question<String, String> ASK = Question.of("ask", String.class, String.class);

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());

  private static Graph alone(Node node) {
    return Graph.named("alone")
        .channels(SAID)
        .questions(ASK)
        .node("a", node)
        .edge(START, "a")
        .edge("a", END)
        .compile();
  }

  private RunOptions hearing() {
    return kept().listener(events::add, Detail.FORKS);
  }

  private List<Event.ContextForked> forked() {
    return List.copyOf(events).stream()
        .filter(Event.ContextForked.class::isInstance)
        .map(Event.ContextForked.class::cast)
        .toList();
  }

  private List<How> joined() {
    return List.copyOf(events).stream()
        .filter(Event.ContextJoined.class::isInstance)
        .map(event -> ((Event.ContextJoined) event).how())
        .toList();
  }

  private void checkEachForkIsJoinedOnce() {
    var open = new HashSet<String>();
    for (var event : List.copyOf(events)) {
      if (event instanceof Event.ContextForked e) assertThat(open.add(e.fork())).isTrue();
      if (event instanceof Event.ContextJoined e) assertThat(open.remove(e.fork())).isTrue();
    }
    assertThat(open).isEmpty();
  }

  @Test
  void items_fork_and_join_under_the_ids_that_they_know_themselves_by() throws Exception {
    var tasks = ConcurrentHashMap.<String>newKeySet();
    var graph =
        alone((_, context) -> {
          Parallel.over(List.of("x", "y"))
              .map(
                  context,
                  (item, fork) -> {
                    tasks.add(fork.task());
                    Parallel.over(List.of(item)).map(fork, (_, deeper) -> tasks.add(deeper.task()));
                    if (item.equals("y")) throw new IOException("no network");
                    return item;
                  });
          return NodeResult.nothing();
        });
    completed(graph.invoke(Input.none(), hearing()));
    assertThat(forked()).extracting(Event.ContextForked::fork).hasSameElementsAs(tasks);
    assertThat(joined())
        .containsExactlyInAnyOrder(How.SUCCEEDED, How.SUCCEEDED, How.SUCCEEDED, How.FAILED);
    checkEachForkIsJoinedOnce();
    assertThat(forked().getFirst().kind()).isEqualTo(Kind.FORKS);
    for (var event : events) {
      assertThat(Codec.of(Event.class).decode(event.json())).isEqualTo(event);
    }
  }

  @Test
  void an_item_that_asks_joins_as_asked_and_forks_again_when_it_is_answered() throws Exception {
    var graph =
        alone((_, context) -> {
          var said =
              Parallel.over(List.of("x", "y"))
                  .map(
                      context,
                      String.class,
                      (item, fork) -> item.equals("x") ? item : fork.interrupt(ASK, item));
          return Update.all(SAID, said.succeeded());
        });
    var options = hearing();
    var open = asked(graph.invoke(Input.none(), options)).getFirst();
    assertThat(joined()).containsExactlyInAnyOrder(How.SUCCEEDED, How.ASKED);
    completed(graph.resume(Answers.of(open.id(), "blue"), options));
    // What is kept of the first item stands for it.
    assertThat(joined()).hasSize(3).endsWith(How.SUCCEEDED);
    checkEachForkIsJoinedOnce();
  }

  @Test
  void those_that_lose_a_race_or_take_too_long_join_too() throws Exception {
    var never = new CountDownLatch(1);
    var graph =
        alone((_, context) -> {
          var slow = Parallel.over(List.of("win", "lose"));
          slow.race(
              context,
              (item, _) -> {
                if (item.equals("lose")) never.await();
                return item;
              });
          slow.itemTimeout(Duration.ofMillis(20))
              .map(
                  context,
                  (item, _) -> {
                    never.await();
                    return item;
                  });
          return NodeResult.nothing();
        });
    completed(graph.invoke(Input.none(), hearing()));
    assertThat(joined())
        .containsExactlyInAnyOrder(How.SUCCEEDED, How.CANCELLED, How.TIMED_OUT, How.TIMED_OUT);
    checkEachForkIsJoinedOnce();
  }

  @Test
  void fork_events_are_published_only_on_request() throws Exception {
    var graph =
        alone((_, context) -> {
          Parallel.over(List.of("x")).map(context, (item, _) -> item);
          return NodeResult.nothing();
        });
    completed(graph.invoke(Input.none(), kept().listener(events::add)));
    assertThat(events).isNotEmpty();
    assertThat(forked()).isEmpty();
    assertThat(joined()).isEmpty();
  }
}
