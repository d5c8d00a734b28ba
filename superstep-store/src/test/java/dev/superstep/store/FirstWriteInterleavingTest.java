package dev.superstep.store;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Capability.CombinedCalls;
import dev.superstep.checkpoint.Capability.EventJournal;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Prune;
import dev.superstep.event.Event;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.graph.Threads;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever others do to a thread after a run has read it and before the run acquires it with its
/// first write, the outcome is that of a run which began after them.
final class FirstWriteInterleavingTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Question<String, String> WHAT =
      Question.of("what", String.class, String.class);
  private static final int MANY = 100;
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir Path folder;

  /// What others do, or how the thread is before; by the store of another process.
  @FunctionalInterface
  private interface Deed {
    void by(Checkpointer store, Run run) throws InterruptedException;
  }

  private enum Place {
    MEMORY,
    SEALED_MEMORY,
    SQLITE,
    SEALED_SQLITE,
    POSTGRES
  }

  private static final Deed BEGIN =
      (store, graph) -> graph.invoke(Input.of(SAID, "begun"), on(store));
  private static final Deed END_IT =
      (store, graph) -> graph.resume(Answers.to(WHAT, "ended"), on(store));

  private static final Map<String, Deed> BEFORE = new LinkedHashMap<>();
  private static final Map<String, Deed> BETWEEN = new LinkedHashMap<>();

  static {
    BEFORE.put("is new", (_, _) -> {});
    BEFORE.put("asks", BEGIN);
    BEFORE.put(
        "has ended",
        (store, graph) -> {
          BEGIN.by(store, graph);
          END_IT.by(store, graph);
        });
    BEFORE.put(
        "was left by somebody whose lease is over",
        (store, graph) -> {
          BEGIN.by(store, graph);
          store.acquire(THREAD, "gone", Duration.ZERO);
        });

    BETWEEN.put("nothing", (_, _) -> {});
    BETWEEN.put(
        "input", (store, graph) -> graph.invoke(Input.of(SAID, "other"), on(store)));
    BETWEEN.put("an answer", (store, graph) -> graph.resume(Answers.to(WHAT, "other"), on(store)));
    BETWEEN.put("a resumption", (store, graph) -> graph.resume(Answers.none(), on(store)));
    BETWEEN.put(
        "a state update",
        (store, graph) ->
            graph.update(on(store), StateUpdate.as("begin", Update.of(SAID, "edited"))));
    BETWEEN.put("a rewind", (store, graph) -> rewind(store, graph, 1));
    BETWEEN.put("a rewind to the newest", (store, graph) -> rewind(store, graph, 0));
    BETWEEN.put(
        "a fork",
        (store, graph) ->
            Threads.in(store).fork(THREAD, history(store, graph).getFirst(), "forked"));
    BETWEEN.put("a copy", (store, _) -> Threads.in(store).copy(THREAD, "copied"));
    BETWEEN.put("pruning", (store, _) -> Threads.in(store).prune(THREAD, Prune.keepLast(1)));
    BETWEEN.put("deletion", (store, _) -> Threads.in(store).delete(THREAD));
    BETWEEN.put(
        "deletion and a new beginning",
        (store, graph) -> {
          Threads.in(store).delete(THREAD);
          BEGIN.by(store, graph);
        });
    BETWEEN.put("a request to cancel", (store, _) -> Threads.in(store).cancel(THREAD));
    BETWEEN.put("a broken lease", (store, _) -> Threads.in(store).breakLease(THREAD));
    BETWEEN.put("a lease", (store, _) -> store.acquire(THREAD, "other", LONG));
    BETWEEN.put(
        "a lease that is over", (store, _) -> store.acquire(THREAD, "other", Duration.ZERO));
    BETWEEN.put(
        "a lease and its release",
        (store, _) -> store.release(store.acquire(THREAD, "other", LONG)));
    BETWEEN.put(
        "a lease that is lost to another one",
        (store, _) -> {
          store.acquire(THREAD, "other", LONG);
          Threads.in(store).breakLease(THREAD);
        });
  }

  private static void rewind(Checkpointer store, Graph graph, int back) {
    Threads.in(store).rewind(THREAD, history(store, graph).get(back));
  }

  private static List<String> history(Checkpointer store, Graph graph) {
    return graph.history(Optional.empty(), MANY, on(store)).stream().map(c -> c.id()).toList();
  }

  private static RunOptions on(Checkpointer store) {
    return RunOptions.thread(THREAD).checkpoints(store);
  }

  /// Lets others act between the read of a thread and the write that acquires it.
  private static final class Interleaved extends ForwardingCheckpointer implements CombinedCalls {
    private final Runnable others;
    private boolean isDone;

    Interleaved(Checkpointer store, Runnable others) {
      super(store);
      this.others = others;
    }

    private void act() {
      if (isDone) return;
      isDone = true;
      others.run();
    }

    @Override
    public AcquiredThread acquireThread(String thread, String owner, Duration time) {
      act();
      return CombinedCalls.of(store()).acquireThread(thread, owner, time);
    }

    @Override
    public Optional<IdleThread> idleThread(String thread) {
      return CombinedCalls.of(store()).idleThread(thread);
    }

    @Override
    public Optional<Lease> acquireWith(
        IdleThread idle, String owner, Duration time, FirstWrite write) {
      act();
      return CombinedCalls.of(store()).acquireWith(idle, owner, time, write);
    }
  }

  /// Acquires each thread before it is read.
  private static final class Separate extends ForwardingCheckpointer {
    Separate(Checkpointer store) {
      super(store);
    }
  }

  private static Graph plain() {
    return Graph.named("plain")
        .channels(SAID)
        .questions(WHAT)
        .node("begin", (_, _) -> Update.of(SAID, "began"))
        .node("ask", (_, context) -> Update.of(SAID, context.interrupt(WHAT, "what?")))
        .edge(START, "begin")
        .edge("begin", "ask")
        .edge("ask", END)
        .compile();
  }

  private static Graph nested() {
    return Graph.named("nested")
        .channels(SAID)
        .questions(WHAT)
        .node("begin", (_, _) -> Update.of(SAID, "began"))
        .node("inside", Subgraph.shared(plain()).remembering())
        .edge(START, "begin")
        .edge("begin", "inside")
        .edge("inside", END)
        .compile();
  }

  // --- The stores ---

  private int files;

  /// Two stores as two processes have them.
  private record Pair(Checkpointer own, Checkpointer others, List<AutoCloseable> toClose)
      implements AutoCloseable {
    @Override
    public void close() throws Exception {
      for (var each : toClose) each.close();
    }
  }

  private static Checkpointer sealed(Checkpointer store) {
    return EncryptedCheckpointer.over(store, KeyRing.of("key", new byte[32]));
  }

  private Pair open(Place place) throws Exception {
    return switch (place) {
      case MEMORY -> {
        var memory = new InMemoryCheckpointer();
        yield new Pair(memory, memory, List.of());
      }
      case SEALED_MEMORY -> {
        var memory = new InMemoryCheckpointer();
        yield new Pair(sealed(memory), sealed(memory), List.of());
      }
      case SQLITE, SEALED_SQLITE -> {
        var file = Files.createDirectories(folder.resolve("" + files++)).resolve("runs.db");
        var own = SqliteCheckpointer.open(file);
        var others = SqliteCheckpointer.open(file);
        boolean isSealed = place == Place.SEALED_SQLITE;
        yield new Pair(
            isSealed ? sealed(own) : own,
            isSealed ? sealed(others) : others,
            List.of(own, others));
      }
      case POSTGRES -> {
        var pool = pool(PostgresServer.shared().freshDatabase());
        PostgresCheckpointer.migrate(pool);
        var own = PostgresCheckpointer.on(pool);
        yield new Pair(own, PostgresCheckpointer.on(pool), List.of(own, pool));
      }
    };
  }

  private static HikariDataSource pool(PostgresDatabase database) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setMaximumPoolSize(4);
    return pool;
  }

  // --- What is compared ---

  private record Run(Graph graph, boolean isInput, Durability durability, boolean hasJournal) {
    String by(Checkpointer store, List<Event> heard) throws InterruptedException {
      var plain = on(store).durability(durability).listener(heard::add);
      var options = hasJournal ? plain.journal() : plain;
      try {
        var outcome =
            isInput
                ? graph.invoke(Input.of(SAID, "mine"), options)
                : graph.resume(Answers.to(WHAT, "mine"), options);
        return outcome.getClass().getSimpleName();
      } catch (RuntimeException e) {
        return e.getClass().getSimpleName();
      }
    }
  }

  private static void quietly(Deed deed, Checkpointer store, Graph graph, List<Object> story) {
    try {
      deed.by(store, graph);
      story.add("others acted");
    } catch (RuntimeException e) {
      story.add("others: " + e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// What is left, as a third one sees it, and whether the thread can still be used.
  private static void remains(Run run, Checkpointer store, List<Object> story)
      throws InterruptedException {
    var threads = Threads.in(store);
    for (var name : List.of(THREAD, "forked", "copied")) {
      var options = RunOptions.thread(name).checkpoints(store);
      var state = run.graph().state(options);
      story.add(state.map(s -> s.state().get(SAID)));
      story.add(state.map(s -> s.questions().size()));
      for (var each : run.graph().history(Optional.empty(), MANY, options)) {
        story.add(each.step() + " " + each.source());
      }
      story.add(threads.find(name).map(found -> found.holder().isPresent()));
    }
    var journal = store.capability(EventJournal.class).orElseThrow();
    journal.entries(THREAD, 0, MANY, EntryFilter.all()).forEach(e -> story.add(e.kind()));
    threads.breakLease(THREAD);
    var heard = new ArrayList<Event>();
    story.add(new Run(run.graph(), false, Durability.SYNC, false).by(store, heard));
    story.add(run.graph().state(on(store)).map(s -> s.state().get(SAID)));
  }

  private List<Object> story(Place place, Run run, Deed before, Deed between, boolean isSeparate)
      throws Exception {
    var story = new ArrayList<>();
    try (var stores = open(place)) {
      quietly(before, stores.others(), run.graph(), story);
      Runnable others = () -> quietly(between, stores.others(), run.graph(), story);
      var heard = new ArrayList<Event>();
      if (isSeparate) others.run();
      var own =
          isSeparate ? new Separate(stores.own()) : new Interleaved(stores.own(), others);
      story.add(run.by(own, heard));
      heard.forEach(event -> story.add(event.getClass().getSimpleName()));
      remains(run, stores.others(), story);
    }
    return story;
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void a_run_is_as_if_it_had_begun_after_all_that_came_in_between(Place place) throws Exception {
    // A database each takes longer.
    var graphs = place == Place.POSTGRES ? List.of(nested()) : List.of(plain(), nested());
    for (var graph : graphs) {
      for (boolean isInput : new boolean[] {true, false}) {
        for (var before : BEFORE.entrySet()) {
          for (var between : BETWEEN.entrySet()) {
            var run =
                new Run(graph, isInput, Durability.SYNC, between.getKey().length() % 2 == 0);
            var expected = story(place, run, before.getValue(), between.getValue(), true);
            assertThat(story(place, run, before.getValue(), between.getValue(), false))
                .as("%s to a thread that %s: %s", run, before.getKey(), between.getKey())
                .isEqualTo(expected);
          }
        }
      }
    }
  }
}
