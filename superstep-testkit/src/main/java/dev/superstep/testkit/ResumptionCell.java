package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A program, a durability, the write at which its process dies, and how many processes resume it
/// at once. Immutable.
///
/// @param point the number of the write, from 1
/// @param isAfter the process dies after the write, else before it
/// @param fork which of the checkpoints is forked, of all in the history
record ResumptionCell(
    ResumedProgram program,
    Durability durability,
    int point,
    boolean isAfter,
    int processes,
    int fork) {
  private static final int POINTS = 30;
  private static final int PROCESSES_MAX = 16;
  private static final int HISTORY_MAX = 1_000;
  private static final Duration POLL = Duration.ofMillis(1);

  static ResumptionCell draw(Choices choices, Durability durability) {
    return new ResumptionCell(
        ResumedProgram.draw(choices),
        durability,
        choices.between(1, POINTS),
        choices.chance(50),
        choices.between(1, PROCESSES_MAX),
        choices.below(HISTORY_MAX));
  }

  /// Checks the properties of [ResumptionSuite].
  ///
  /// @param another a further client of the store
  /// @param thread a name that no other cell has
  void check(Checkpointer store, Supplier<Optional<Checkpointer>> another, String thread)
      throws Exception {
    var expected = uninterrupted();
    var ledger = new EffectLedger();
    crash(store, thread, ledger);
    var threads = Threads.in(store);
    threads.breakLease(thread);
    var prefix = threads.history(thread, Optional.empty(), HISTORY_MAX);
    var copies = copies(threads, thread, prefix);
    assertThat(resumed(store, another, thread, ledger)).containsOnly(expected);
    var history = threads.history(thread, Optional.empty(), HISTORY_MAX);
    assertThat(history.subList(history.size() - prefix.size(), history.size())).isEqualTo(prefix);
    if (durability != Durability.EXIT) assertThat(ledger.repeated()).isEmpty();
    recoveriesAgree(store, copies, expected);
    forkIsDeterministic(store, threads, thread, expected, history);
  }

  private List<String> uninterrupted() throws InterruptedException {
    var ledger = new EffectLedger();
    var graph = program.graph(ledger);
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    return finished(graph, options);
  }

  private void crash(Checkpointer store, String thread, EffectLedger ledger)
      throws InterruptedException {
    var dying = new CrashingCheckpointer(store, ledger, point, isAfter);
    var graph = program.graph(ledger);
    try {
      finished(graph, options(thread, dying));
    } catch (SuperstepException e) {
      if (!dying.isDead()) throw e;
    }
  }

  /// Two copies of the thread as the crash left it, each with a ledger; none if it left nothing.
  private List<String> copies(Threads threads, String thread, List<Checkpoint> prefix) {
    if (prefix.isEmpty()) return List.of();
    var copies = List.of(thread + "-first", thread + "-second");
    for (var copy : copies) threads.copy(thread, copy);
    return copies;
  }

  /// Property 6.
  private void recoveriesAgree(Checkpointer store, List<String> copies, List<String> expected)
      throws InterruptedException {
    var effects = new ArrayList<Object>();
    for (var copy : copies) {
      var ledger = new EffectLedger();
      assertThat(finished(program.graph(ledger), options(copy, store))).isEqualTo(expected);
      effects.add(ledger.ids());
    }
    if (effects.size() > 1) assertThat(effects.getFirst()).isEqualTo(effects.getLast());
  }

  /// Properties 3 and 4.
  private void forkIsDeterministic(
      Checkpointer store,
      Threads threads,
      String thread,
      List<String> expected,
      List<Checkpoint> history)
      throws InterruptedException {
    var graph = program.graph(new EffectLedger());
    var source = history.get(fork % history.size()).id();
    for (var checkpoint : history) {
      assertThat(graph.state(checkpoint.id(), options(thread, store))).isPresent();
    }
    var then = graph.state(source, options(thread, store)).orElseThrow().state();
    for (var name : List.of(thread + "-fork", thread + "-fork-again")) {
      threads.fork(thread, source, name);
      var options = options(name, store);
      var now = graph.state(options).orElseThrow().state();
      assertThat(now.get(ResumedProgram.LOG)).isEqualTo(then.get(ResumedProgram.LOG));
      assertThat(finished(graph, options)).isEqualTo(expected);
    }
    assertThat(threads.history(thread, Optional.empty(), HISTORY_MAX)).isEqualTo(history);
  }

  /// Returns what each of the processes sees at the end.
  private List<List<String>> resumed(
      Checkpointer store,
      Supplier<Optional<Checkpointer>> another,
      String thread,
      EffectLedger ledger)
      throws Exception {
    var graph = program.graph(ledger);
    // Only one of them may start a thread of which nothing was saved.
    if (graph.state(options(thread, store)).isEmpty()) {
      return List.of(finished(graph, options(thread, watched(store, ledger))));
    }
    var start = new CyclicBarrier(processes);
    try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
      var ends = new ArrayList<Future<List<String>>>();
      for (int i = 0; i < processes; i++) {
        Callable<List<String>> process =
            () -> {
              var client = another.get();
              try {
                start.await();
                var watched = watched(client.orElse(store), ledger);
                return finished(program.graph(ledger), options(thread, watched));
              } finally {
                client.ifPresent(Checkpointer::close);
              }
            };
        ends.add(workers.submit(process));
      }
      var seen = new ArrayList<List<String>>();
      for (var end : ends) seen.add(end.get());
      return seen;
    }
  }

  private static Checkpointer watched(Checkpointer store, EffectLedger ledger) {
    return new CrashingCheckpointer(store, ledger, CrashingCheckpointer.NEVER, false);
  }

  private RunOptions options(String thread, Checkpointer store) {
    return RunOptions.thread(thread).checkpoints(store).durability(durability);
  }

  /// Starts, resumes and answers until the program is done; waits while another process is at it.
  private static List<String> finished(Graph graph, RunOptions options)
      throws InterruptedException {
    while (true) {
      var state = graph.state(options);
      boolean isDone = state.filter(s -> s.next().isEmpty() && s.questions().isEmpty()).isPresent();
      if (isDone) return state.orElseThrow().state().get(ResumedProgram.LOG);
      try {
        var outcome =
            state.isEmpty()
                ? graph.invoke(Input.none(), options)
                : graph.resume(ResumedProgram.answers(state.get().questions()), options);
        if (outcome instanceof Outcome.Completed(var end)) return end.get(ResumedProgram.LOG);
      } catch (ThreadBusy | AnswerRejected _) {
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }
}
