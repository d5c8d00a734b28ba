package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer.When;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents whose processes are killed in the middle of their batches of tools, until they have their
/// answer: no call that had finished is made again, one that had not is made with the same key, and
/// the conversation is that of an agent which nobody disturbed. Other numbers of kills by
/// `-Dsuperstep.kills=25`.
@Tag("T88")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class AgentKillTest {
  private static final int KILLS = Integer.getInteger("superstep.kills", 8);
  private static final int POINT_MAX = 14;
  // So many come just before something is saved, where an effect is made that must be made again.
  private static final int KILLS_BEFORE = 8;

  @TempDir static Path prepared;
  private static ChildJvm children;

  @TempDir Path folder;
  private int kills;
  private int killsInBatches;
  private int madeAgain;

  @BeforeAll
  static void rehearse() throws Exception {
    children = ChildJvm.rehearsed(prepared, AgentRehearsal.class, prepared.toString());
  }

  @Test
  void an_agent_survives_any_number_of_kills_in_the_middle_of_its_tools() throws Exception {
    var store = folder.resolve("threads.db").toString();
    Teller.open(store).close();
    var calm = new Notes(folder.resolve("calm"));
    var expected =
        new AgentStory(new Notes(folder.resolve("calm-notes")), calm)
            .tell(RunOptions.thread("t").checkpoints(new InMemoryCheckpointer()));
    var random = new SplittableRandom(23);
    // Until an effect was made again, since a few kills may all fall beside one.
    for (int i = 0; kills < KILLS || (madeAgain == 0 && kills < 5 * KILLS); i++) {
      var notes = new Notes(folder.resolve("notes-" + i));
      var booked = new Notes(folder.resolve("booked-" + i));
      assertThat(end(store, "t" + i, notes, booked, random)).isEqualTo(expected);
      KillTest.nothingSavedIsDoneAgain(notes.all());
      var effects = byKey(booked.all());
      madeAgain += booked.all().size() - effects.size();
      assertThat(effects.values()).containsExactlyInAnyOrderElementsOf(byKey(calm.all()).values());
    }
    // Else nothing of this was tried.
    assertThat(killsInBatches).isGreaterThan(kills / 10);
    assertThat(madeAgain).isPositive();
  }

  private String end(
      String store, String thread, Notes notes, Notes booked, SplittableRandom random)
      throws IOException, InterruptedException {
    for (; ; kills++) {
      int point = random.nextInt(1, POINT_MAX);
      var how = List.of(When.BEFORE, When.DURING, When.AFTER).get(random.nextInt(3));
      if (kills < KILLS_BEFORE) how = When.BEFORE;
      var process =
          children.start(AgentTeller.class, store, notes.file(), thread, booked.file(), point, how);
      try (var output = process.inputReader()) {
        var end = KillTest.killedOrDone(process, output);
        if (end.isPresent()) return end.get();
      } finally {
        process.destroyForcibly();
      }
      if (isInBatch(notes.all())) killsInBatches++;
    }
  }

  /// Whether calls have finished whose superstep has not.
  private static boolean isInBatch(List<String> notes) {
    var ran = after("ran ", notes);
    ran.retainAll(after("saved ", notes));
    var folded = after("folded ", notes);
    return ran.stream().anyMatch(task -> folded.stream().noneMatch(task::startsWith));
  }

  private static Set<String> after(String kind, List<String> notes) {
    var all = new HashSet<String>();
    for (var note : notes) if (note.startsWith(kind)) all.add(note.substring(kind.length()));
    return all;
  }

  /// What a service that does nothing twice has done. With a key it is always told the same.
  private static TreeMap<String, String> byKey(List<String> booked) {
    var done = new TreeMap<String, String>();
    for (var line : booked) {
      int end = line.indexOf(' ');
      var before = done.put(line.substring(0, end), line.substring(end + 1));
      if (before != null) assertThat(line.substring(end + 1)).isEqualTo(before);
    }
    return done;
  }
}
