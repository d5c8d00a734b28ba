package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer.When;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An agent whose process is killed around each of its writes in turn: a reply that is saved, with
/// its step or with the checkpoint that follows, is never asked for again, and a kill loses at most
/// the reply that was not.
@Tag("T88")
@Timeout(600)
final class LoneCallKillTest {
  private static final int WRITES_MAX = 20;

  private final ChildJvm children = ChildJvm.plain();
  @TempDir Path folder;
  private String store = "";
  private int lost;

  @Test
  void a_kill_loses_at_most_the_reply_that_was_still_to_be_saved() throws Exception {
    var calm = new Notes(folder.resolve("calm"));
    LoneCallTeller.tell("t", calm, new InMemoryCheckpointer());
    assertThat(calm.all()).hasSize(LoneCallTeller.CALLS + 1);
    store = folder.resolve("threads.db").toString();
    Teller.open(store).close();
    int kills = 0;
    for (var when : List.of(When.BEFORE, When.AFTER)) {
      for (int point = 1; point < WRITES_MAX; point += 3) {
        var thread = "t-" + when + "-" + point;
        var notes = new Notes(folder.resolve(thread));
        if (!isKilled(notes, thread, point, when)) break;
        kills++;
        assertThat(isKilled(notes, thread, 1_000, When.AFTER)).isFalse();
        noSavedReplyIsAskedForAgain(notes.all(), when);
      }
    }
    assertThat(kills).isGreaterThan(8);
    // Else nothing of this was tried.
    assertThat(lost).isPositive();
  }

  private boolean isKilled(Notes notes, String thread, int point, When when) throws Exception {
    var process = children.start(LoneCallTeller.class, store, notes.file(), thread, point, when);
    try (var output = process.inputReader()) {
      var end = KillTest.killedOrDone(process, output);
      if (end.isPresent()) assertThat(end.get()).isEqualTo("completed Done.");
      return end.isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  private void noSavedReplyIsAskedForAgain(List<String> notes, When when) {
    var saved = new HashSet<String>();
    var asked = new HashSet<String>();
    String last = "";
    int again = 0;
    for (var note : notes) {
      if (note.startsWith("asked ")) {
        assertThat(saved).as(notes.toString()).doesNotContain(note);
        if (!asked.add(note)) again++;
        last = note;
      } else if (note.startsWith("folded ") || note.startsWith("kept ")) {
        saved.add(last);
      }
    }
    assertThat(asked).hasSize(LoneCallTeller.CALLS + 1);
    assertThat(again).as(notes.toString()).isLessThanOrEqualTo(when == When.BEFORE ? 1 : 0);
    lost += again;
  }
}
