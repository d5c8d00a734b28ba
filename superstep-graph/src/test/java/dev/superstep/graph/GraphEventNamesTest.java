package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.graph.Runs.asked;
import static dev.superstep.graph.Runs.completed;
import static dev.superstep.graph.Runs.kept;
import static dev.superstep.graph.Runs.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.InMemoryNodeCache;
import dev.superstep.error.NodeFailed;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.node.CachePolicy;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Retry;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which event tells what the demands name. `docs/event-names.md` has the same table for people.
@Timeout(60)
class GraphEventNamesTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  /// What is demanded, and which of our events tell it.
  private static final Map<String, List<String>> STATED = new LinkedHashMap<>();

  static {
    STATED.put("run.started", List.of("run.started"));
    STATED.put("run.completed", List.of("run.completed"));
    STATED.put("run.failed", List.of("run.failed"));
    STATED.put("run.draining", List.of("run.stopped"));
    STATED.put("step.started", List.of("step.started"));
    STATED.put("step.completed", List.of("step.finished"));
    STATED.put("task.scheduled", List.of("step.started", "task.started"));
    STATED.put("task.cached", List.of("node.cached"));
    STATED.put("node.started", List.of("node.started"));
    STATED.put("node.completed", List.of("node.finished"));
    STATED.put("node.failed", List.of("node.failed"));
    STATED.put("node.retry_scheduled", List.of("node.retried"));
    STATED.put("state.updated", List.of("node.updated", "state.values", "state.updated"));
    STATED.put("route.selected", List.of("routes.selected"));
    STATED.put("checkpoint.saved", List.of("checkpoint.saved"));
    STATED.put("checkpoint.restored", List.of("run.started"));
    STATED.put("interrupt.emitted", List.of("interrupt.raised"));
    STATED.put("interrupt.resumed", List.of("interrupt.answered"));
    STATED.put("subgraph.started", List.of("subgraph.started"));
    STATED.put("subgraph.completed", List.of("subgraph.completed"));
    STATED.put("recursion.depth_changed", List.of("subgraph.started", "subgraph.completed"));
    STATED.put("context.forked", List.of("context.forked"));
    STATED.put("context.joined", List.of("context.joined"));
    STATED.put("custom", List.of("node.emitted"));
    STATED.put("debug.payload", List.of("task.started", "task.ended", "checkpoint.saved"));
  }

  /// Told only to listeners that ask for them.
  private static final Set<String> DETAILS =
      Set.of(
          "checkpoint.saved",
          "context.forked",
          "context.joined",
          "node.updated",
          "routes.selected",
          "state.values",
          "task.started",
          "task.ended");

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final InMemoryNodeCache cache = InMemoryNodeCache.holding(9);

  private RunOptions heard(String thread) {
    return RunOptions.thread(thread)
        .checkpoints(store)
        .cache(cache)
        .journal(Redaction.none())
        .listener(events::add, Detail.values());
  }

  /// A graph that does a little of everything, inside another one.
  private static Graph busy(AtomicInteger flaky) {
    var inner =
        Graph.named("inner")
            .channels(LOG)
            .node("cached", (_, _) -> Update.of(LOG, "c"), cached())
            .node(
                "flaky",
                (_, context) -> {
                  if (flaky.getAndDecrement() > 0) throw new IOException("busy");
                  context.emit("noted", "x");
                  Parallel.over(List.of(1, 2)).map(context, (item, _) -> item);
                  return NodeResult.nothing();
                },
                NodePolicy.defaults().retry(Retry.of(2).backoff(Duration.ZERO, 1, Duration.ZERO)))
            .edge(START, "cached")
            .edge("cached", "flaky")
            .edge("flaky", END)
            .compile();
    return Graph.named("busy")
        .channels(LOG)
        .questions(ASK)
        .node("inner", Subgraph.shared(inner))
        .node("ask", (_, context) -> Update.of(LOG, context.interrupt(ASK, "?")))
        .edge(START, "inner")
        .edge("inner", "ask")
        .edge("ask", END)
        .compile();
  }

  private static NodePolicy cached() {
    return NodePolicy.defaults().cache(CachePolicy.by(_ -> "one"));
  }

  private void everything() throws InterruptedException {
    var flaky = new AtomicInteger(1);
    for (var thread : List.of("t", "u")) {
      var open = asked(busy(flaky).invoke(Input.none(), heard(thread))).getFirst();
      completed(busy(flaky).resume(Answers.of(open.id(), "yes"), heard(thread)));
    }
    busy(flaky).update(heard("t"), StateUpdate.as("ask", Update.of(LOG, "edited")));
    thrown(NodeFailed.class, () -> busy(new AtomicInteger(9)).invoke(Input.none(), heard("v")));
    var drain = new Drain();
    var drained = heard("w").drain(drain).listener(_ -> drain.start());
    assertThat(busy(flaky).invoke(Input.none(), drained)).isInstanceOf(Outcome.Stopped.class);
  }

  private static Set<String> names() {
    var names = new TreeSet<String>();
    for (var type : Event.class.getPermittedSubclasses()) collect(type, names);
    return names;
  }

  private static void collect(Class<?> type, Set<String> names) {
    var name = type.getAnnotation(JsonTypeName.class);
    if (name != null) names.add(name.value());
    if (!type.isInterface()) return;
    for (var inner : type.getPermittedSubclasses()) collect(inner, names);
  }

  private static String name(Event event) {
    return event.getClass().getAnnotation(JsonTypeName.class).value();
  }

  @Test
  @Tag("T100")
  @Tag("T122")
  void each_stated_event_of_graphs_is_told_by_the_event_of_the_table() throws Exception {
    everything();
    var heard = new TreeSet<String>();
    for (var event : List.copyOf(events)) heard.add(name(event));
    // The run that updates a state has no listeners; its thread's journal is told.
    for (var entry : store.entries("t", 0, 1_000, EntryFilter.all())) heard.add(entry.kind());
    for (var stated : STATED.entrySet()) {
      assertThat(heard).as(stated.getKey()).containsAll(stated.getValue());
    }
  }

  @Test
  @Tag("T122")
  void the_journal_has_the_same_events_under_the_same_names() throws Exception {
    everything();
    var saved = new TreeSet<String>();
    for (var thread : List.of("t", "u", "v", "w")) {
      for (var entry : store.entries(thread, 0, 1_000, EntryFilter.all())) saved.add(entry.kind());
    }
    var stated = new TreeSet<String>();
    STATED.values().forEach(stated::addAll);
    stated.removeAll(DETAILS);
    assertThat(saved).containsAll(stated).doesNotContainAnyElementsOf(DETAILS);
    assertThat(names()).containsAll(saved);
  }

  @Test
  @Tag("T122")
  void the_page_has_the_names_of_the_table_and_all_events_that_exist() throws Exception {
    var page = Files.readString(Path.of("..", "docs", "event-names.md"));
    for (var stated : STATED.entrySet()) {
      var ours = String.join("`, `", stated.getValue());
      assertThat(page).contains("| `" + stated.getKey() + "` | `" + ours + "` |");
    }
    for (var name : names()) assertThat(page).contains("`" + name + "`");
  }

  @Test
  @Tag("T124")
  void the_journal_of_a_run_is_the_order_and_its_graphs_and_nodes_are_views_of_it()
      throws Exception {
    everything();
    var all = store.entries("t", 0, 1_000, EntryFilter.all());
    var runs = all.stream().map(entry -> entry.run()).distinct().toList();
    assertThat(runs).hasSizeGreaterThanOrEqualTo(2);
    long offset = 0;
    for (var entry : all) assertThat(entry.offset()).isEqualTo(++offset);
    for (var run : runs) {
      var own = store.entries("t", 0, 1_000, EntryFilter.all().runs(run));
      assertThat(own).isEqualTo(all.stream().filter(e -> e.run().equals(run)).toList());
    }
    var inner = store.entries("t", 0, 1_000, EntryFilter.all().graphs("inner"));
    assertThat(inner).isNotEmpty();
    assertThat(inner).isEqualTo(all.stream().filter(e -> e.graph().equals("inner")).toList());
    // What has read up to an offset goes on behind it, and misses nothing.
    var half = all.size() / 2;
    var first = store.entries("t", 0, half, EntryFilter.all());
    var rest = store.entries("t", first.getLast().offset(), 1_000, EntryFilter.all());
    var both = new ArrayList<>(first);
    both.addAll(rest);
    assertThat(both).isEqualTo(all);
  }

  @Test
  @Tag("T59")
  void an_event_has_one_id_live_and_one_in_the_journal_however_often_it_is_read() throws Exception {
    everything();
    var live = new TreeSet<String>();
    for (var event : List.copyOf(events)) {
      assertThat(live.add(event.origin().run() + " " + event.origin().sequence())).isTrue();
    }
    var all = store.entries("t", 0, 1_000, EntryFilter.all());
    var ids = all.stream().map(Entry::id).toList();
    assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f-]+-evt-[0-9]+"));
    var again = new ArrayList<String>();
    for (long at = 0; at < all.getLast().offset(); at += 3) {
      store.entries("t", at, 3, EntryFilter.all()).forEach(entry -> again.add(entry.id()));
    }
    assertThat(again).isEqualTo(ids);
  }

  @Test
  @Tag("T59")
  void payloads_are_left_out_of_a_journal_unless_they_are_asked_for() throws Exception {
    var secret = "the answer is private";
    for (boolean asksForThem : new boolean[] {false, true}) {
      var options = kept().checkpoints(new InMemoryCheckpointer());
      var saved = asksForThem ? options.journal(Redaction.none()) : options.journal();
      var flaky = new AtomicInteger();
      var open = asked(busy(flaky).invoke(Input.none(), saved.details(Detail.values()))).getFirst();
      completed(busy(flaky).resume(Answers.of(open.id(), secret), saved));
      var journal =
          saved
              .checkpointer()
              .orElseThrow()
              .capability(dev.superstep.checkpoint.CheckpointerCapability.EventJournal.class)
              .orElseThrow();
      var text = journal.entries("t", 0, 1_000, EntryFilter.all()).toString();
      assertThat(text.contains(secret)).isEqualTo(asksForThem);
      assertThat(Optional.of(text)).get().asString().contains("interrupt.answered");
    }
  }
}
