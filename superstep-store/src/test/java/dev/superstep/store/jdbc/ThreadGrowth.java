package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static dev.superstep.store.jdbc.GrowthCase.Reach.ONCE;
import static dev.superstep.store.jdbc.GrowthCase.Reach.STORED_RUNS;
import static dev.superstep.store.jdbc.GrowthCase.Reach.STORES;
import static dev.superstep.store.jdbc.GrowthCase.asked;
import static dev.superstep.store.jdbc.GrowthCase.completed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.event.Backlog;
import dev.superstep.event.EventFilter;
import dev.superstep.event.EventHub;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.Search;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Long threads, many threads and large stores.
final class ThreadGrowth {
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final Channel<List<String>, String> LINES = Channel.append("lines", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final int PAGE = 50;
  private static final int FEW = 16;

  private ThreadGrowth() {}

  static List<GrowthCase> cases() {
    return List.of(
        new GrowthCase("supersteps replayed", STORES, 512, 8_192, ThreadGrowth::replay),
        new GrowthCase("inputs to a thread", STORED_RUNS, 512, 8_192, ThreadGrowth::inputs),
        new GrowthCase("answers in turn", STORED_RUNS, 512, 8_192, ThreadGrowth::answersInTurn),
        history("history, newest state", (threads, graph, options, ids) -> graph.state(options)),
        history("history, older states", ThreadGrowth::olderStates),
        history("history, by page", (threads, _, _, _) -> pages(threads)),
        history("history, forks", ThreadGrowth::forks),
        history("history, rewinds", ThreadGrowth::rewinds),
        history("history, copy", (threads, _, _, _) -> threads.copy("thread", "other")),
        history("history, prune", (t, _, _, _) -> t.prune("thread", Prune.keepLast(FEW))),
        history("history, delete", (threads, _, _, _) -> threads.delete("thread")),
        history("history, delete run", (t, _, _, ids) -> t.deleteRun(ids.getFirst().run())),
        new GrowthCase("journal, written", STORED_RUNS, 512, 8_192, ThreadGrowth::journaled),
        new GrowthCase("journal, read", STORES, 512, 8_192, ThreadGrowth::journal),
        new GrowthCase("journal, tailed", STORES, 512, 8_192, ThreadGrowth::tail),
        new GrowthCase("subscribers", ONCE, 512, 8_192, ThreadGrowth::subscribers),
        new GrowthCase("subscriptions", ONCE, 4_096, 16_384, ThreadGrowth::subscriptions),
        new GrowthCase("threads, begun", STORES, 512, 8_192, ThreadGrowth::begun),
        listed("threads, listed", query -> query),
        listed("threads, of a graph", query -> query.of("growing")),
        listed("threads, of a run", query -> query.writtenBy("unknown")),
        new GrowthCase("threads, deleted", STORES, 512, 8_192, ThreadGrowth::deleted),
        new GrowthCase("namespaces, written", STORES, 512, 8_192, ThreadGrowth::namespaces),
        new GrowthCase("namespaces, listed", STORES, 512, 8_192, ThreadGrowth::namespacesListed),
        new GrowthCase("namespaces, searched", STORES, 512, 8_192, ThreadGrowth::searched));
  }

  private static Graph talk(long steps) {
    return Graph.named("growing")
        .channels(COUNT, LINES)
        .node("say", (s, _) -> Update.of(COUNT, 1L).and(LINES, "line " + s.get(COUNT)))
        .edge(START, "say")
        .route("say", s -> s.get(COUNT) % steps != 0 ? "say" : END, "say", END)
        .compile();
  }

  private static GrowthCase.Work replay(GrowthPlace place, int steps) throws Exception {
    var graph = talk(steps);
    completed(graph.invoke(Input.none(), place.options()));
    return () -> {
      var replay = Replay.of(graph, place.store()).thread("thread").stepLimit(steps + 1);
      assertThat(replay.run().supersteps()).isEqualTo(steps);
    };
  }

  private static GrowthCase.Work inputs(GrowthPlace place, int inputs) {
    var graph =
        Graph.named("growing")
            .channels(COUNT)
            .node("add", (_, _) -> Update.of(COUNT, 1L))
            .edge(START, "add")
            .edge("add", END)
            .compile();
    return () -> {
      for (int i = 0; i < inputs; i++) completed(graph.invoke(Input.none(), place.options()));
    };
  }

  private static GrowthCase.Work answersInTurn(GrowthPlace place, int answers) {
    var graph =
        Graph.named("asking")
            .channels(COUNT)
            .questions(WHAT)
            .node(
                "ask",
                (_, context) -> {
                  context.interrupt(WHAT, "more?");
                  return Update.of(COUNT, 1L);
                })
            .edge(START, "ask")
            .route("ask", s -> s.get(COUNT) < answers ? "ask" : END, "ask", END)
            .compile();
    return () -> {
      asked(graph.invoke(Input.none(), place.options()));
      for (int i = 0; i < answers; i++) graph.resume(Answers.to(WHAT, "yes"), place.options());
      assertThat(graph.state(place.options()).orElseThrow().state().get(COUNT)).isEqualTo(answers);
    };
  }

  // --- History ---

  private interface Use {
    void of(Threads threads, Graph graph, RunOptions options, List<Checkpoint> all)
        throws Exception;
  }

  private static GrowthCase history(String name, Use use) {
    return new GrowthCase(
        name,
        STORES,
        512,
        8_192,
        (place, steps) -> {
          var graph = talk(steps);
          completed(graph.invoke(Input.none(), place.options()));
          var threads = Threads.in(place.store());
          var all = threads.history("thread", Optional.empty(), steps + 2);
          assertThat(all).hasSize(steps + 1);
          return () -> use.of(threads, graph, place.options(), all);
        });
  }

  private static void pages(Threads threads) {
    var page = threads.history("thread", Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      page = threads.history("thread", Optional.of(page.getLast().id()), PAGE);
    }
  }

  private static List<Checkpoint> few(List<Checkpoint> all) {
    var few = new ArrayList<Checkpoint>();
    for (int i = 0; i < FEW; i++) few.add(all.get(i * all.size() / FEW));
    return few;
  }

  private static void olderStates(
      Threads threads, Graph graph, RunOptions options, List<Checkpoint> all) {
    for (var at : few(all)) assertThat(graph.state(at.id(), options)).isPresent();
  }

  private static void forks(
      Threads threads, Graph graph, RunOptions options, List<Checkpoint> all) {
    for (var at : few(all)) threads.fork("thread", at.id(), "fork-" + at.id());
  }

  private static void rewinds(
      Threads threads, Graph graph, RunOptions options, List<Checkpoint> all) {
    for (var at : few(all)) threads.rewind("thread", at.id());
  }

  // --- Events ---

  private static GrowthCase.Work journaled(GrowthPlace place, int steps) {
    var graph = talk(steps);
    return () -> completed(graph.invoke(Input.none(), place.options().journal()));
  }

  private static GrowthCase.Work journal(GrowthPlace place, int steps) throws Exception {
    journaled(place, steps).run();
    return () -> assertThat(ThreadJournal.of(place.store(), "thread")).hasSizeGreaterThan(steps);
  }

  private static GrowthCase.Work tail(GrowthPlace place, int steps) throws Exception {
    journaled(place, steps).run();
    return () -> {
      try (var tail = ThreadJournal.of(place.store(), "thread").tail(0)) {
        int read = 0;
        while (tail.poll(Duration.ZERO).isPresent()) read++;
        assertThat(read).isGreaterThan(steps);
      }
    };
  }

  private static GrowthCase.Work subscribers(GrowthPlace place, int many) {
    var hub = new EventHub();
    for (int i = 0; i < many; i++) hub.subscribe(EventFilter.all(), Backlog.droppingOldest());
    var graph = talk(FEW);
    return () -> {
      completed(graph.invoke(Input.none(), place.options().listener(hub)));
      hub.close();
    };
  }

  private static GrowthCase.Work subscriptions(GrowthPlace place, int many) {
    return () -> {
      var hub = new EventHub();
      var all = new ArrayList<AutoCloseable>();
      for (int i = 0; i < many; i++) all.add(hub.subscribe(EventFilter.all()));
      for (var one : all) one.close();
    };
  }

  // --- Threads ---

  private static GrowthCase.Work begun(GrowthPlace place, int many) {
    var graph = talk(1);
    return () -> {
      for (int i = 0; i < many; i++) {
        completed(graph.invoke(Input.none(), place.options("thread-" + i)));
      }
    };
  }

  private static GrowthCase listed(String name, UnaryOperator<ThreadQuery> filter) {
    return new GrowthCase(
        name,
        STORES,
        1_024,
        8_192,
        (place, many) -> {
          begun(place, many).run();
          var threads = Threads.in(place.store());
          return () -> list(threads, filter.apply(ThreadQuery.newest(PAGE)));
        });
  }

  private static int list(Threads threads, ThreadQuery query) {
    int listed = 0;
    List<ThreadSummary> page = threads.list(query);
    while (!page.isEmpty()) {
      listed += page.size();
      page = threads.list(query.after(page.getLast().thread()));
    }
    return listed;
  }

  private static GrowthCase.Work deleted(GrowthPlace place, int many) throws Exception {
    begun(place, many).run();
    var threads = Threads.in(place.store());
    return () -> {
      for (int i = 0; i < many; i++) assertThat(threads.delete("thread-" + i)).isTrue();
    };
  }

  // --- Long-term memory ---

  private record Note(String text) {}

  private static GrowthCase.Work namespaces(GrowthPlace place, int many) {
    var memory = place.memory();
    return () -> {
      for (int i = 0; i < many; i++) {
        memory.put(Namespace.of("users", "u" + i), "note", new Note("text " + i));
      }
    };
  }

  private static GrowthCase.Work namespacesListed(GrowthPlace place, int many) throws Exception {
    var memory = place.memory();
    fill(memory, many);
    var search = NamespaceSearch.in(Namespace.of("users")).limit(PAGE);
    return () -> {
      for (int i = 0; i < FEW; i++) {
        assertThat(memory.namespaces(search.offset(i * PAGE)))
            .hasSize(Math.clamp(many - i * PAGE, 0, PAGE));
      }
    };
  }

  private static GrowthCase.Work searched(GrowthPlace place, int many) throws Exception {
    var memory = place.memory();
    fill(memory, many);
    return () -> {
      for (int i = 0; i < FEW; i++) {
        assertThat(memory.search(Search.in(Namespace.of("users", "u" + i)))).hasSize(1);
      }
    };
  }

  private static void fill(dev.superstep.store.Store memory, int many) {
    for (int i = 0; i < many; i++) {
      memory.put(Namespace.of("users", "u" + i), "note", new Note("text " + i));
    }
  }
}
