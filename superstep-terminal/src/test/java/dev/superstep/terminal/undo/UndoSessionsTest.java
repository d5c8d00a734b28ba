package dev.superstep.terminal.undo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random sessions are undone step by step, and the tree is each time as an oracle saw it, also
/// when those who watched died on the way.
@Tag("C30")
class UndoSessionsTest {
  private static final int SESSIONS = Integer.getInteger("undo.sessions", 6);
  private static final int KILLED = Integer.getInteger("undo.killed", 1);
  private static final int STEPS = 6;

  @TempDir Path folder;

  private ChangeTracker open(Path home) {
    return ChangeTracker.open(
        UndoPlace.of(home.resolve("work"), home.resolve("store")),
        UndoLimits.standard(),
        InstantSource.system());
  }

  private Path home(String name) throws Exception {
    var home = Files.createDirectories(folder.resolve(name));
    Files.createDirectories(home.resolve("work"));
    ShellSession.run(home.resolve("work"), "echo one > a1; echo two > a2; mkdir d1; echo x > d1/x");
    return home;
  }

  @Test
  void each_step_of_a_session_is_undone_to_what_was_before_it() throws Exception {
    for (int session = 0; session < SESSIONS; session++) {
      var random = new Random(session);
      var home = home("s" + session);
      var work = home.resolve("work");
      var before = new HashMap<String, String>();
      var tracker = open(home);
      for (var step : ShellSession.steps(session, STEPS)) {
        var label = before.size() + " " + step;
        before.put(label, OracleTree.digest(work));
        tracker.begin(label, java.util.List.of());
        ShellSession.run(work, step);
        if (random.nextInt(4) == 0) {
          // Whoever watched is gone without a word.
          tracker.close();
          tracker = open(home);
        } else {
          tracker.finish();
        }
      }
      undoAll(tracker, work, before);
      tracker.close();
    }
  }

  private static void undoAll(ChangeTracker tracker, Path work, Map<String, String> before)
      throws Exception {
    for (var change : tracker.changes().reversed()) {
      if (change.isUndone()) continue;
      tracker.undo(change.id());
      assertThat(OracleTree.digest(work))
          .as("undo of %s: %s", change.label(), change.paths())
          .isEqualTo(before.get(change.label()));
    }
  }

  @Test
  void a_process_that_is_killed_anywhere_leaves_all_that_an_undo_needs() throws Exception {
    for (int session = 0; session < KILLED; session++) {
      var random = new Random(session);
      var home = home("k" + session);
      var work = home.resolve("work");
      var start = OracleTree.digest(work);
      UndoProcess.killed(home, "run", session, 200 + random.nextInt(1500));
      // Also the undo is cut short, and goes on with whoever comes next.
      UndoProcess.killed(home, "undo", session, 150 + random.nextInt(700));
      var before = UndoProcess.digests(home);
      try (var tracker = open(home)) {
        undoAll(tracker, work, before);
      }
      assertThat(OracleTree.digest(work)).as("session %d", session).isEqualTo(start);
    }
  }
}
