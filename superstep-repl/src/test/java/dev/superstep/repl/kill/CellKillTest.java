package dev.superstep.repl.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer.When;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions whose processes are killed around any of their writes, and go on in other processes,
/// until they have their answer: no call whose result was saved is made again, and the question in
/// a cell is answered by a process that did not ask it. More kills by `-Dsuperstep.kills=300`.
@Tag("S20")
final class CellKillTest {
  private static final int KILLS = Integer.getInteger("superstep.kills", 8);
  private static final int POINT_MAX = 20;
  private static final Pattern SAVED =
      Pattern.compile("kept .*/([3579])/tools/0 (?:~f0\\.(\\d)|ragsh (\\d)).*");

  @TempDir static Path prepared;
  private static ChildJvm children;

  @TempDir Path folder;
  private final Set<Integer> killedAt = new TreeSet<>();
  private int kills;
  private int madeAgain;

  @BeforeAll
  static void rehearse() throws Exception {
    children = ChildJvm.rehearsed(prepared, CellRehearsal.class, prepared.toString());
  }

  @Test
  void no_call_whose_result_was_saved_is_made_again_after_any_number_of_kills() throws Exception {
    var random = new SplittableRandom(42);
    for (int i = 0; kills < KILLS; i++) {
      int before = kills;
      var store = folder.resolve(i + ".db");
      SqliteCheckpointer.open(store).close();
      var notes = new Notes(folder.resolve(i + ".notes"));
      var end = end(store, notes, random);
      var words = end.split(" ", 3);
      assertThat(words[0]).as(end).isEqualTo("answered");
      assertThat(words[2]).isEqualTo(CellStory.ANSWER);
      // A call that was cut off by a kill is counted, and made again.
      assertThat(Integer.parseInt(words[1])).isBetween(13, 13 + 8 * (kills - before));
      nothingSavedIsMadeAgain(notes.all());
    }
    System.out.printf(
        "long: %d kills in %d places, %d calls without a saved result made again%n",
        kills, killedAt.size(), madeAgain);
  }

  private String end(Path store, Notes notes, SplittableRandom random)
      throws IOException, InterruptedException {
    var question = "-";
    while (true) {
      int point = kills < KILLS ? random.nextInt(1, POINT_MAX) : 1_000_000;
      var how = List.of(When.BEFORE, When.DURING, When.AFTER).get(random.nextInt(3));
      var process =
          children.start(
              CellTeller.class, store, notes.file(), "t", question, String.valueOf(point), how);
      try (var output = process.inputReader()) {
        var end = Optional.ofNullable(output.readLine()).orElse("ended without a word");
        if (end.equals("point")) {
          kills++;
          killedAt.add(notes.all().size());
          question = "-";
        } else if (end.startsWith("waiting ")) {
          question = end.substring("waiting ".length());
        } else return end;
      } finally {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private void nothingSavedIsMadeAgain(List<String> notes) {
    var saved = new HashSet<String>();
    var made = new HashSet<String>();
    for (var note : notes) {
      if (note.startsWith("did ")) {
        var call = note.substring("did ".length());
        assertThat(saved).as(String.join("\n", notes)).doesNotContain(call);
        if (!made.add(call)) madeAgain++;
        saved.addAll(before(call));
      }
      var matcher = SAVED.matcher(note);
      if (matcher.matches()) saved.add(call(matcher.group(1), matcher.group(2), matcher.group(3)));
    }
    assertThat(made).isEqualTo(all());
  }

  private static Set<String> all() {
    var all = new HashSet<String>();
    for (var calls : CellStory.CALLS) all.addAll(calls);
    return all;
  }

  /// The calls that come before one in the session: it is not made until they are saved.
  private static Set<String> before(String call) {
    var all = new HashSet<String>();
    for (var calls : CellStory.CALLS) {
      if (calls.contains(call)) return all;
      all.addAll(calls);
    }
    throw new AssertionError("no such call: " + call);
  }

  /// The name of a call by the superstep of its cell, and its number there or in its batch.
  private static String call(
      String superstep,
      @org.jspecify.annotations.Nullable String item,
      @org.jspecify.annotations.Nullable String number) {
    int place = item == null ? Integer.parseInt(number) : Integer.parseInt(item) + 1;
    return switch (superstep) {
      case "3" -> place == 1 ? "a" : "b";
      case "5" -> item == null ? "none" : "c" + place;
      case "7" -> item == null ? "bad" : "d" + place;
      default -> place == 1 ? "send" : "e";
    };
  }
}
