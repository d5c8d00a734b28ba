package dev.superstep.store;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Prune;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.graph.Threads;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
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

  // How often a first write acquired its thread, and how often it could not.
  private int acquired;
  private int refused;

  /// What others do to the thread of a run, by the store of another process.
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
      (store, run) -> run.graph().invoke(Input.of(SAID, "begun"), run.on(store));
  private static final Deed FINISH =
      (store, run) -> run.graph().resume(Answers.to(WHAT, "ended"), run.on(store));

  private static final Map<String, Deed> BEFORE = new LinkedHashMap<>();
  private static final Map<String, Deed> BETWEEN = new LinkedHashMap<>();

  static {
    BEFORE.put("is new", (_, _) -> {});
    BEFORE.put("asks", BEGIN);
    BEFORE.put(
        "has ended",
        (store, run) -> {
          BEGIN.by(store, run);
          FINISH.by(store, run);
        });
    BEFORE.put(
        "was left by somebody whose lease is over",
        (store, run) -> {
          BEGIN.by(store, run);
          store.acquire(run.thread(), "gone", Duration.ZERO);
        });

    BETWEEN.put("nothing", (_, _) -> {});
    BETWEEN.put(
        "input", (store, run) -> run.graph().invoke(Input.of(SAID, "other"), run.on(store)));
    BETWEEN.put(
        "an answer", (store, run) -> run.graph().resume(Answers.to(WHAT, "other"), run.on(store)));
    BETWEEN.put("a resumption", (store, run) -> run.graph().resume(Answers.none(), run.on(store)));
    BETWEEN.put(
        "a state update",
        (store, run) ->
            run.graph().update(run.on(store), StateUpdate.as("begin", Update.of(SAID, "edited"))));
    BETWEEN.put("a rewind", (store, run) -> rewind(store, run, 1));
    BETWEEN.put("a rewind to the newest", (store, run) -> rewind(store, run, 0));
    BETWEEN.put(
        "a fork",
        (store, run) ->
            Threads.in(store)
                .fork(run.thread(), history(store, run).getFirst(), run.thread() + "-forked"));
    BETWEEN.put(
        "a copy", (store, run) -> Threads.in(store).copy(run.thread(), run.thread() + "-copied"));
    BETWEEN.put(
        "pruning", (store, run) -> Threads.in(store).prune(run.thread(), Prune.keepLast(1)));
    BETWEEN.put("deletion", (store, run) -> Threads.in(store).delete(run.thread()));
    BETWEEN.put(
        "deletion and a new beginning",
        (store, run) -> {
          Threads.in(store).delete(run.thread());
          BEGIN.by(store, run);
        });
    BETWEEN.put("a request to cancel", (store, run) -> Threads.in(store).cancel(run.thread()));
    BETWEEN.put("a broken lease", (store, run) -> Threads.in(store).breakLease(run.thread()));
    BETWEEN.put("a lease", (store, run) -> store.acquire(run.thread(), "other", LONG));
    BETWEEN.put(
        "a lease that is over",
        (store, run) -> store.acquire(run.thread(), "other", Duration.ZERO));
    BETWEEN.put(
        "a lease and its release",
        (store, run) -> store.release(store.acquire(run.thread(), "other", LONG)));
    BETWEEN.put(
        "a lease that is broken",
        (store, run) -> {
          store.acquire(run.thread(), "other", LONG);
          Threads.in(store).breakLease(run.thread());
        });
  }

  private static void rewind(Checkpointer store, Run run, int back) {
    Threads.in(store).rewind(run.thread(), history(store, run).get(back));
  }

  private static List<String> history(Checkpointer store, Run run) {
    return run.graph().history(Optional.empty(), MANY, run.on(store)).stream()
        .map(Checkpoint::id)
        .toList();
  }

  /// Lets others act between the read of a thread and the write that acquires it.
  private final class Interleaved extends ForwardingCheckpointer implements CombinedCalls {
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
      var lease = CombinedCalls.of(store()).acquireWith(idle, owner, time, write);
      if (lease.isPresent()) acquired++;
      else refused++;
      return lease;
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

  /// Two stores as two processes have them.
  private record Pair(Checkpointer own, Checkpointer others, List<? extends AutoCloseable> toClose)
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
        var file = folder.resolve("runs.db");
        var own = SqliteCheckpointer.open(file);
        var others = SqliteCheckpointer.open(file);
        boolean isSealed = place == Place.SEALED_SQLITE;
        yield new Pair(
            isSealed ? sealed(own) : own, isSealed ? sealed(others) : others, List.of(own, others));
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

  private record Run(Graph graph, String thread, boolean isInput, boolean hasJournal) {
    RunOptions on(Checkpointer store) {
      return RunOptions.thread(thread).checkpoints(store);
    }

    Run called(String other) {
      return new Run(graph, other, isInput, hasJournal);
    }

    String by(Checkpointer store, List<Object> story) {
      var plain = on(store).listener(event -> story.add(event.getClass().getSimpleName()));
      var options = hasJournal ? plain.journal() : plain;
      try {
        var outcome =
            isInput
                ? graph.invoke(Input.of(SAID, "mine"), options)
                : graph.resume(Answers.to(WHAT, "mine"), options);
        return outcome.getClass().getSimpleName();
      } catch (RuntimeException e) {
        return e.getClass().getSimpleName();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static void act(Deed deed, Checkpointer store, Run run, List<Object> story) {
    try {
      deed.by(store, run);
      story.add("others acted");
    } catch (RuntimeException e) {
      story.add("others: " + e.getClass().getSimpleName());
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Adds what is left, as others see it, and whether the thread can still be used.
  private static void addRemains(Run run, Checkpointer store, List<Object> story) {
    var threads = Threads.in(store);
    for (var name : List.of("", "-forked", "-copied")) {
      var thread = run.called(run.thread() + name);
      var state = run.graph().state(thread.on(store));
      story.add(state.map(s -> s.state().get(SAID)));
      story.add(state.map(s -> s.questions().size()));
      for (var each : run.graph().history(Optional.empty(), MANY, thread.on(store))) {
        story.add(each.step() + " " + each.source());
      }
      story.add(threads.find(thread.thread()).map(found -> found.holder().isPresent()));
    }
    var journal = store.capability(EventJournal.class).orElseThrow();
    journal
        .entries(run.thread(), 0, MANY, EntryFilter.all())
        .forEach(entry -> story.add(entry.kind()));
    threads.breakLease(run.thread());
    story.add(new Run(run.graph(), run.thread(), false, false).by(store, story));
    story.add(run.graph().state(run.on(store)).map(s -> s.state().get(SAID)));
  }

  private static List<Object> story(
      Pair stores, Run run, Deed before, Consumer<List<Object>> running) {
    var story = new ArrayList<>();
    act(before, stores.others(), run, story);
    running.accept(story);
    addRemains(run, stores.others(), story);
    return story;
  }

  private void compare(Pair stores, Run run, String before, String between) {
    var deed = Objects.requireNonNull(BETWEEN.get(between));
    var earlier = Objects.requireNonNull(BEFORE.get(before));
    var one = run.called(run.thread() + "-before");
    var expected =
        story(
            stores,
            one,
            earlier,
            story -> {
              act(deed, stores.others(), one, story);
              story.add(one.by(new Separate(stores.own()), story));
            });
    var two = run.called(run.thread() + "-between");
    var found =
        story(
            stores,
            two,
            earlier,
            story -> {
              Runnable others = () -> act(deed, stores.others(), two, story);
              story.add(two.by(new Interleaved(stores.own(), others), story));
            });
    assertThat(found)
        .as("%s of a thread that %s, and meanwhile: %s", run, before, between)
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(Place.class)
  void a_run_is_as_if_it_had_begun_after_all_that_came_in_between(Place place) throws Exception {
    // PostgreSQL acquires a thread before it is read in both.
    var graphs = place == Place.POSTGRES ? List.of(plain()) : List.of(plain(), nested());
    try (var stores = open(place)) {
      int cases = 0;
      for (var graph : graphs) {
        for (var before : BEFORE.keySet()) {
          for (var between : BETWEEN.keySet()) {
            for (boolean isInput : new boolean[] {true, false}) {
              var run = new Run(graph, "t" + cases, isInput, cases % 3 == 0);
              compare(stores, run, before, between);
              cases++;
            }
          }
        }
      }
    }
    if (place == Place.POSTGRES) return;
    assertThat(acquired).isGreaterThan(10);
    assertThat(refused).isGreaterThan(10);
  }
}
