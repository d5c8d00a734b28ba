package dev.superstep.graph;

import static dev.superstep.graph.FailureTest.PATH;
import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.kinds;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import dev.superstep.node.Approval;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.Command;
import dev.superstep.node.Node;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T89")
@Tag("T72")
class NodeCacheTest {
  static final Channel<String, String> TOPIC = Channel.latest("topic", String.class);
  static final Target<Integer> ITEM = Target.of("item", Integer.class);
  static final Question<String, Approval> MAY = Question.of("may", String.class, Approval.class);

  record Note(String id, String text) {}

  private final AtomicInteger runs = new AtomicInteger();
  private final InMemoryNodeCache cache = InMemoryNodeCache.holding(100);
  private final List<Event> events = new ArrayList<>();

  private RunOptions options() {
    return RunOptions.defaults().cache(cache);
  }

  private static CachePolicy byTopic() {
    return CachePolicy.by(state -> state.get(TOPIC));
  }

  private Graph graph(CachePolicy policy) {
    return graph(
        policy,
        (state, _) -> {
          runs.incrementAndGet();
          return Update.of(PATH, "about " + state.get(TOPIC));
        });
  }

  private static Graph graph(CachePolicy policy, Node node) {
    return Graph.named("cached")
        .channels(PATH, TOPIC)
        .questions(MAY)
        .node("a", node, NodePolicy.defaults().cache(policy))
        .node("after", (_, _) -> Update.of(PATH, "after"))
        .edge(START, "a")
        .edge("a", "after")
        .edge("after", END)
        .compile();
  }

  private List<String> path(Graph graph, String topic, RunOptions options)
      throws InterruptedException {
    return completed(graph.invoke(Input.of(TOPIC, topic), options)).get(PATH);
  }

  @Test
  void a_cached_result_replaces_running_the_node() throws Exception {
    assertThat(path(graph(byTopic()), "cats", options())).containsExactly("about cats", "after");
    assertThat(path(graph(byTopic()), "cats", options())).containsExactly("about cats", "after");
    assertThat(runs).hasValue(1);
    assertThat(path(graph(byTopic()), "dogs", options())).containsExactly("about dogs", "after");
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_cached_node_is_published_as_cached_and_finished_but_not_as_started() throws Exception {
    path(graph(byTopic()), "cats", options());
    path(graph(byTopic()), "cats", options().listener(events::add));
    assertThat(kinds(events).subList(1, 5))
        .containsExactly(
            "step.started [a]", "node.cached a", "node.finished a", "step.finished [after]");
  }

  @Test
  void without_a_cache_the_node_runs_each_time() throws Exception {
    path(graph(byTopic()), "cats", RunOptions.defaults());
    path(graph(byTopic()), "cats", RunOptions.defaults());
    assertThat(runs).hasValue(2);
  }

  @Test
  void results_of_another_version_or_graph_do_not_count() throws Exception {
    path(graph(byTopic()), "cats", options());
    path(graph(byTopic().version("2")), "cats", options());
    assertThat(runs).hasValue(2);
    path(graph(byTopic().version("2")), "cats", options());
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_cleared_node_runs_again() throws Exception {
    path(graph(byTopic()), "cats", options());
    cache.clear("cached", "a");
    path(graph(byTopic()), "cats", options());
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_result_is_used_until_its_time_is_over() throws Exception {
    var now = new AtomicReference<>(Instant.parse("2026-01-02T03:04:05Z"));
    var options = options().clock(now::get);
    var graph = graph(byTopic().ttl(Duration.ofHours(1)));
    path(graph, "cats", options);
    now.updateAndGet(t -> t.plus(Duration.ofHours(1)).minusNanos(1));
    path(graph, "cats", options);
    assertThat(runs).hasValue(1);
    now.updateAndGet(t -> t.plusNanos(1));
    path(graph, "cats", options);
    path(graph, "cats", options);
    assertThat(runs).hasValue(2);
    path(graph(byTopic().ttl(Duration.ofSeconds(Long.MAX_VALUE))), "ants", options);
    path(graph(byTopic().ttl(Duration.ofSeconds(Long.MAX_VALUE))), "ants", options);
    assertThat(runs).hasValue(3);
  }

  @Test
  void the_least_recently_used_result_goes_when_the_cache_is_full() throws Exception {
    var small = RunOptions.defaults().cache(InMemoryNodeCache.holding(2));
    var graph = graph(byTopic());
    for (var topic : List.of("cats", "dogs", "cats", "ants", "cats")) path(graph, topic, small);
    assertThat(runs).hasValue(3);
    path(graph, "dogs", small);
    assertThat(runs).hasValue(4);
  }

  private Graph items(CachePolicy policy) {
    var sends = List.<Send<?>>of(Send.to(ITEM, 1), Send.to(ITEM, 2), Send.to(ITEM, 1));
    return Graph.named("items")
        .channels(PATH, TOPIC)
        .node(
            ITEM,
            (n, state, _) -> {
              runs.incrementAndGet();
              return Update.of(PATH, n + state.get(TOPIC));
            },
            NodePolicy.defaults().cache(policy))
        .fanOut(START, _ -> sends, ITEM)
        .edge("item", END)
        .compile();
  }

  @Test
  void a_sent_node_is_cached_by_its_argument() throws Exception {
    var graph = items(CachePolicy.byArgument());
    // One at a time, so that the second task for 1 finds what the first one gave.
    assertThat(path(graph, "a", options().concurrency(1))).containsExactly("1a", "2a", "1a");
    assertThat(runs).hasValue(2);
    assertThat(path(graph, "b", options().concurrency(64))).containsExactly("1a", "2a", "1a");
    assertThat(runs).hasValue(2);
  }

  @Test
  void a_sent_node_may_also_be_cached_by_its_channels() throws Exception {
    var graph = items(byTopic());
    assertThat(path(graph, "a", options().concurrency(1))).containsExactly("1a", "2a", "1a");
    assertThat(path(graph, "b", options().concurrency(1))).containsExactly("1b", "2b", "1b");
    assertThat(runs).hasValue(4);
  }

  @Test
  void commands_and_sends_are_cached_too() throws Exception {
    var graph =
        Graph.named("commands")
            .channels(PATH, TOPIC)
            .node(
                "lead",
                (_, _) -> {
                  runs.incrementAndGet();
                  return Command.to("after").andSend(ITEM, 7).with(Update.of(PATH, "lead"));
                },
                NodePolicy.defaults().cache(byTopic()))
            .node(ITEM, (n, _, _) -> Update.of(PATH, "item " + n))
            .node("after", (_, _) -> Update.of(PATH, "after"))
            .edge(START, "lead")
            .destinations("lead", "after", "item")
            .edge("item", END)
            .edge("after", END)
            .compile();
    var first = path(graph, "x", options());
    assertThat(path(graph, "x", options()))
        .isEqualTo(first)
        .containsExactly("lead", "after", "item 7");
    assertThat(runs).hasValue(1);
  }

  @Test
  void a_cached_result_is_saved_and_restored_like_any_other() throws Exception {
    var broken = new AtomicBoolean(true);
    var graph =
        Graph.named("two")
            .channels(PATH, TOPIC)
            .node(
                "a",
                (state, _) -> {
                  runs.incrementAndGet();
                  return Update.of(PATH, state.get(TOPIC));
                },
                NodePolicy.defaults().cache(byTopic()))
            .node(
                "b",
                (_, _) -> {
                  if (broken.get()) throw new IOException("no");
                  return Update.of(PATH, "b");
                })
            .edge(START, "a")
            .edge(START, "b")
            .edge("a", END)
            .edge("b", END)
            .compile();
    var first = kept().cache(cache);
    var second = kept().cache(cache);
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(TOPIC, "x"), first));
    thrown(NodeFailed.class, () -> graph.invoke(Input.of(TOPIC, "x"), second));
    assertThat(runs).hasValue(1);
    broken.set(false);
    cache.clear("two", "a");
    var resumed = second.listener(events::add);
    assertThat(completed(graph.resume(Answers.none(), resumed)).get(PATH))
        .containsExactly("x", "b");
    assertThat(runs).hasValue(1);
    assertThat(kinds(events)).doesNotContain("node.cached a", "node.started a");
  }

  @Test
  void a_node_that_was_cut_off_takes_the_cached_result_when_it_is_resumed() throws Exception {
    var broken = new AtomicBoolean(true);
    Node node =
        (state, _) -> {
          runs.incrementAndGet();
          if (broken.get()) throw new IOException("no");
          return Update.of(PATH, "about " + state.get(TOPIC));
        };
    var cut = kept().cache(cache);
    thrown(NodeFailed.class, () -> graph(byTopic(), node).invoke(Input.of(TOPIC, "cats"), cut));
    broken.set(false);
    path(graph(byTopic(), node), "cats", options());
    assertThat(runs).hasValue(2);
    assertThat(completed(graph(byTopic(), node).resume(Answers.none(), cut)).get(PATH))
        .containsExactly("about cats", "after");
    assertThat(runs).hasValue(2);
  }

  @Test
  void failures_are_not_cached_however_they_are_handled() throws Exception {
    for (var then : List.of(OnFailure.skip(), OnFailure.fallback(Update.of(PATH, "instead")))) {
      runs.set(0);
      var graph =
          Graph.named("broken")
              .channels(PATH, TOPIC)
              .node(
                  "a",
                  (_, _) -> {
                    runs.incrementAndGet();
                    throw new IOException("no");
                  },
                  NodePolicy.defaults().cache(byTopic()).onFailure(then))
              .edge(START, "a")
              .edge("a", END)
              .compile();
      path(graph, "x", options());
      path(graph, "x", options());
      assertThat(runs).hasValue(2);
    }
    assertThat(cache.size()).isZero();
  }

  @Test
  void a_result_that_depends_on_an_answer_is_not_cached() throws Exception {
    Node node =
        (_, context) -> {
          runs.incrementAndGet();
          return Update.of(PATH, context.interrupt(MAY, "may I?").toString());
        };
    var options = kept().cache(cache);
    var graph = graph(byTopic(), node);
    var question = asked(graph.invoke(Input.of(TOPIC, "x"), options)).getFirst();
    completed(graph.resume(Answers.of(question.id(), Approval.yes()), options));
    assertThat(runs).hasValue(2);
    assertThat(cache.size()).isZero();
  }

  @Test
  void a_result_that_writes_an_untracked_channel_is_not_cached() throws Exception {
    var secret = Channel.untracked("secret", String.class);
    var graph =
        Graph.named("secret")
            .channels(TOPIC, secret, PATH)
            .node(
                "a",
                (_, _) -> Update.of(secret, "s" + runs.incrementAndGet()),
                NodePolicy.defaults().cache(byTopic()))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    path(graph, "x", options());
    path(graph, "x", options());
    assertThat(runs).hasValue(2);
    assertThat(cache.size()).isZero();
  }

  @Test
  void each_use_of_a_cached_result_gets_fresh_ids() throws Exception {
    var notes =
        Channel.byId("notes", Note.class, Note::id, (note, id) -> new Note(id, note.text()));
    var turns = Channel.sum("turns");
    var graph =
        Graph.named("loop")
            .channels(notes, turns)
            .node(
                "note",
                (_, _) -> {
                  runs.incrementAndGet();
                  return Update.of(notes, new Note("", "hello")).and(turns, 1L);
                },
                NodePolicy.defaults().cache(CachePolicy.by(_ -> "same")))
            .edge(START, "note")
            .route("note", state -> state.get(turns) < 3 ? "note" : END, "note", END)
            .compile();
    var state = completed(graph.invoke(Input.none(), options()));
    assertThat(runs).hasValue(1);
    assertThat(state.get(notes)).extracting(Note::id).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void a_result_that_this_program_cannot_read_is_passed_over() throws Exception {
    path(graph(byTopic()), "cats", options());
    var numbers = Channel.append("path", Integer.class);
    var changed =
        Graph.named("cached")
            .channels(numbers, TOPIC)
            .node("a", (_, _) -> Update.of(numbers, 7), NodePolicy.defaults().cache(byTopic()))
            .edge(START, "a")
            .edge("a", END)
            .compile();
    var state = completed(changed.invoke(Input.of(TOPIC, "cats"), options()));
    assertThat(state.get(numbers)).containsExactly(7);
  }

  /// Throws whenever it is used.
  private static final class BrokenCache implements NodeCache {
    private final AtomicInteger uses = new AtomicInteger();

    @Override
    public Optional<Entry> get(Key key) {
      uses.incrementAndGet();
      throw new IllegalStateException("away");
    }

    @Override
    public void put(Key key, Entry entry) {
      uses.incrementAndGet();
      throw new IllegalStateException("away");
    }

    @Override
    public void clear(String graph, String node) {}
  }

  @Test
  void a_cache_that_throws_is_left_aside_for_the_rest_of_the_run() throws Exception {
    var away = new BrokenCache();
    var graph = items(CachePolicy.byArgument());
    assertThat(path(graph, "a", RunOptions.defaults().cache(away).concurrency(1))).hasSize(3);
    assertThat(runs).hasValue(3);
    assertThat(away.uses).hasValue(1);
  }

  @Test
  void a_key_that_cannot_be_made_fails_the_node() {
    var policy =
        CachePolicy.by(_ -> {
          throw new IllegalStateException("no key");
        });
    var failed =
        thrown(NodeFailed.class, () -> graph(policy).invoke(Input.of(TOPIC, "cats"), options()));
    assertThat(failed).hasRootCauseMessage("no key");
    assertThat(runs).hasValue(0);
  }

  @Test
  void a_node_in_a_subgraph_uses_the_cache_of_the_run() throws Exception {
    var inner = graph(byTopic());
    var outer =
        Graph.named("outer")
            .channels(PATH, TOPIC)
            .node(
                "inner",
                Subgraph.<dev.superstep.state.State>of(
                    inner,
                    state -> Input.of(TOPIC, state.get(TOPIC)),
                    state -> Update.all(PATH, state.get(PATH))))
            .edge(START, "inner")
            .edge("inner", END)
            .compile();
    path(inner, "cats", options());
    assertThat(path(outer, "cats", options())).containsExactly("about cats", "after");
    assertThat(path(outer, "cats", kept().cache(cache))).containsExactly("about cats", "after");
    assertThat(runs).hasValue(1);
  }

  @Test
  void a_cached_node_without_an_argument_must_declare_its_channels() {
    var problem =
        thrown(InvalidGraph.class, () -> graph(CachePolicy.byArgument())).problems().getFirst();
    assertThat(problem.code()).isEqualTo("cache-key");
    assertThat(problem.message()).contains("`a`").contains("CachePolicy.by");
  }

  @Test
  void an_event_of_a_cached_node_reads_as_json() throws Exception {
    path(graph(byTopic()), "cats", options());
    path(graph(byTopic()), "cats", options().listener(events::add));
    var event =
        events.stream().filter(Event.NodeCached.class::isInstance).findFirst().orElseThrow();
    assertThat(event.json().text()).startsWith("{\"type\":\"node.cached\"");
    assertThat(Json.parse(event.json().text()).as(Event.class)).isEqualTo(event);
  }
}
