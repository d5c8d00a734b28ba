package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.run.Durability;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer.When;
import dev.superstep.test.postgres.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Processes that are killed around their writes, again and again, until the story is told: it ends
/// as one that nobody disturbed, nothing that was saved was done again, and each event is told
/// once. A story takes some fifteen kills; more stories by `-Dsuperstep.kills=100`.
@Tag("T88")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class KillTest {
  private static final int KILLS = Integer.getInteger("superstep.kills", 1);
  private static final int AT_ONCE = 3;
  private static final int POINT_MAX = 14;
  private static final int NEVER = 1_000_000;

  @TempDir static Path prepared;
  private static ChildJvm children;

  @TempDir Path folder;

  @BeforeAll
  static void rehearse() throws Exception {
    var postgres = PostgresServer.shared().freshDatabase().url();
    children = ChildJvm.rehearsed(prepared, Rehearsal.class, prepared.toString(), postgres);
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC", "ASYNC"})
  void a_story_on_sqlite_survives_any_number_of_kills(Durability when) throws Exception {
    killing(folder.resolve("threads.db").toString(), when);
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC", "ASYNC"})
  void a_story_on_postgresql_survives_any_number_of_kills(Durability when) throws Exception {
    killing(PostgresServer.shared().freshDatabase().url(), when);
  }

  private void killing(String address, Durability when) throws Exception {
    Teller.open(address).close();
    var random = new SplittableRandom(17 + when.ordinal());
    int kills = 0;
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var told = new ArrayList<Future<Integer>>();
      for (int i = 0; kills < KILLS; i++) {
        var name = "t" + i + (i % 2 == 0 ? "" : Teller.UNTOLD);
        var seed = random.split();
        told.add(threads.submit((Callable<Integer>) () -> tell(address, name, when, seed)));
        // So few are wanted that one story has them all, or several run side by side.
        if (KILLS >= AT_ONCE && told.size() < AT_ONCE) continue;
        kills += told.removeFirst().get();
      }
      for (var rest : told) kills += rest.get();
    }
    assertThat(kills).isGreaterThanOrEqualTo(KILLS);
  }

  /// @return how often it was killed
  private int tell(String address, String thread, Durability when, SplittableRandom random)
      throws Exception {
    var notes = folder.resolve("notes-" + thread + "-" + when);
    for (int kills = 0; ; kills++) {
      int point = random.nextInt(1, POINT_MAX);
      var how = List.of(When.BEFORE, When.DURING, When.AFTER).get(random.nextInt(3));
      var process = start(address, notes, thread, when.name(), point, how);
      try (var output = process.inputReader()) {
        var end = killedOrDone(process, output);
        if (end.isEmpty()) continue;
        assertThat(end.get()).isEqualTo("completed " + Story.END_OF_STORY);
      } finally {
        process.destroyForcibly();
      }
      try (var store = Teller.open(address)) {
        nothingSavedIsDoneAgain(new Notes(notes).all());
        if (!thread.endsWith(Teller.UNTOLD)) eachEventIsToldOnce(store, thread);
        assertThat(Threads.in(store).find(thread).orElseThrow().holder()).isEmpty();
      }
      return kills;
    }
  }

  static Optional<String> killedOrDone(Process process, BufferedReader output)
      throws IOException, InterruptedException {
    String last = "";
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      last = line;
      if (!line.equals("point")) continue;
      process.toHandle().destroyForcibly();
      process.waitFor();
      return Optional.empty();
    }
    return Optional.of(last);
  }

  private static Process start(String address, Path notes, String thread, Object... more)
      throws IOException {
    var arguments = new ArrayList<Object>(List.of(address, notes, thread));
    arguments.addAll(List.of(more));
    return children.start(Teller.class, arguments.toArray());
  }

  /// What is noted as saved is never noted as done after that.
  static void nothingSavedIsDoneAgain(List<String> notes) {
    var saved = new HashSet<String>();
    var folded = new HashSet<String>();
    for (var note : notes) {
      int end = note.indexOf(' ');
      var what = note.substring(end + 1);
      switch (note.substring(0, end)) {
        case "saved", "kept" -> saved.add(what);
        case "folded" -> folded.add(what);
        case "ran", "did" -> {
          assertThat(saved).as(notes.toString()).doesNotContain(what);
          var checkpoint = what.substring(0, what.indexOf('/') + 1);
          assertThat(folded).as(notes.toString()).doesNotContain(checkpoint);
        }
        default -> throw new AssertionError(note);
      }
    }
    assertThat(saved).isNotEmpty();
  }

  private static void eachEventIsToldOnce(Checkpointer store, String thread) {
    var entries = ThreadJournal.of(store, thread).entries(0, 100_000);
    long next = 1;
    for (var entry : entries) assertThat(entry.offset()).isEqualTo(next++);
    var finished = new HashMap<String, Integer>();
    for (var entry : of(entries, "node.finished")) {
      finished.merge(entry.event().as(Finished.class).task(), 1, Integer::sum);
    }
    assertThat(finished).isNotEmpty().allSatisfy((_, times) -> assertThat(times).isEqualTo(1));
    var loops =
        store.page(Lineage.of(thread), Optional.empty(), 1_000).stream()
            .filter(c -> c.source() == Checkpoint.Source.LOOP)
            .count();
    var steps = of(entries, "step.finished").stream().filter(e -> e.path().isEmpty()).count();
    assertThat(steps).isEqualTo(loops);
    assertThat(of(entries, "interrupt.raised")).hasSize(1);
    assertThat(of(entries, "interrupt.answered")).hasSize(1);
    assertThat(of(entries, "subgraph.completed")).hasSize(5);
  }

  @com.fasterxml.jackson.annotation.JsonIgnoreProperties(ignoreUnknown = true)
  private record Finished(String task) {}

  private static List<Entry> of(List<Entry> entries, String kind) {
    return entries.stream().filter(e -> e.kind().equals(kind)).toList();
  }

  @Test
  @Tag("X6")
  void a_process_that_is_stopped_past_its_lease_and_wakes_up_changes_nothing() throws Exception {
    zombie(folder.resolve("threads.db").toString());
  }

  @Test
  void a_process_that_is_stopped_past_its_lease_on_postgresql_changes_nothing() throws Exception {
    zombie(PostgresServer.shared().freshDatabase().url());
  }

  private void zombie(String address) throws Exception {
    Teller.open(address).close();
    var notes = folder.resolve("zombie-notes");
    // Somewhere in the middle of its writes.
    var first = start(address, notes, "z", "SYNC", 9, When.WAITING);
    try (var output = first.inputReader()) {
      assertThat(output.readLine()).isEqualTo("point");
      signal("-STOP", first);
      var second = start(address, folder.resolve("notes"), "z", "SYNC", NEVER, When.AFTER);
      try (var told = second.inputReader()) {
        assertThat(told.readLine()).isEqualTo("completed " + Story.END_OF_STORY);
      } finally {
        second.destroyForcibly();
      }
      List<Checkpoint> history;
      List<Entry> journal;
      try (var store = Teller.open(address)) {
        history = store.page(Lineage.of("z"), Optional.empty(), 1_000);
        journal = ThreadJournal.of(store, "z").entries(0, 100_000);
      }
      new Notes(notes).add("go on");
      signal("-CONT", first);
      assertThat(output.readLine()).startsWith("failed thread.lease-lost ");
      assertThat(first.waitFor(300, TimeUnit.SECONDS)).isTrue();
      try (var store = Teller.open(address)) {
        assertThat(store.page(Lineage.of("z"), Optional.empty(), 1_000)).isEqualTo(history);
        assertThat(ThreadJournal.of(store, "z").entries(0, 100_000)).isEqualTo(journal);
        eachEventIsToldOnce(store, "z");
      }
    } finally {
      first.destroyForcibly();
    }
  }

  private static void signal(String signal, Process process) throws Exception {
    var kill = new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }
}
