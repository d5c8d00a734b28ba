package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Bytes of the files of a thread that waits are flipped. Whoever goes on with it gets what is
/// right, or is told, and no task that had finished runs again.
final class DamagedFileTest {
  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<String, String> LAST = Channel.latest("last", String.class);
  private static final Question<String, String> SURE =
      Question.of("sure", String.class, String.class);
  private static final int ROUNDS = 60;
  private static final int ROUNDS_LONG = 2_000;

  @TempDir Path folder;
  private final List<String> ran = new ArrayList<>();

  private Graph graph() {
    var builder = Graph.named("damaged").channels(SAID, LAST).questions(SURE);
    for (var name : List.of("a", "b", "c", "d")) {
      builder.node(
          name,
          (_, context) -> {
            context.step("step", String.class, () -> note(name + " step"));
            note(name);
            return Update.of(SAID, name + " " + "x".repeat(50)).and(LAST, name.repeat(60));
          });
    }
    builder.node(
        "ask", (_, context) -> Update.of(SAID, context.interrupt(SURE, "Go on?") + " said"));
    builder.node("last", (_, _) -> Update.of(LAST, note("last")));
    return builder
        .edge(START, "a")
        .edge("a", "b")
        .edge("b", "c")
        .edge("c", "d")
        .edge("d", "ask")
        .edge("ask", "last")
        .edge("last", END)
        .compile();
  }

  private String note(String what) {
    synchronized (ran) {
      ran.add(what);
    }
    return what;
  }

  /// The files of a thread that waits, some of it in the log and some in the database.
  private void write(Path to) throws Exception {
    var file = folder.resolve("made.db");
    try (var store = SqliteCheckpointer.open(file)) {
      var other = RunOptions.thread("other").checkpoints(store);
      graph().invoke(Input.none(), other);
      store.compact();
      var outcome = graph().invoke(Input.none(), RunOptions.thread("t").checkpoints(store));
      assertThat(outcome).isInstanceOf(Outcome.Interrupted.class);
      copy(file, to);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (var end : List.of("", "-wal", "-newest")) {
      Files.copy(
          from.resolveSibling(from.getFileName() + end), to.resolveSibling(to.getFileName() + end));
    }
  }

  /// What is kept of the thread when it goes on, or empty if that is refused.
  private String gone(Path file) throws Exception {
    ran.clear();
    try (var store = SqliteCheckpointer.open(file)) {
      var options = RunOptions.thread("t").checkpoints(store);
      var open = graph().state(options).orElseThrow().questions();
      if (open.isEmpty()) return "no questions";
      var outcome = graph().resume(Answers.of(open.getFirst().id(), SURE, "yes"), options);
      return outcome instanceof Outcome.Completed done
          ? done.state().get(SAID) + " " + done.state().get(LAST) + " " + ran
          : outcome.toString();
    } catch (StoreFailed | ThreadError e) {
      return "";
    } catch (RuntimeException e) {
      return "not typed: " + e;
    }
  }

  @Test
  void a_thread_whose_file_is_damaged_is_right_or_refused() throws Exception {
    damage(ROUNDS);
  }

  @Test
  @Tag("long")
  void a_thread_whose_file_is_damaged_is_right_or_refused_two_thousand_times() throws Exception {
    damage(ROUNDS_LONG);
  }

  private void damage(int rounds) throws Exception {
    var whole = folder.resolve("whole.db");
    write(whole);
    var intact = folder.resolve("intact.db");
    copy(whole, intact);
    var right = gone(intact);
    assertThat(right).contains("yes said").endsWith("[last]");
    int refused = 0;
    var wrong = new ArrayList<String>();
    for (int round = 0; round < rounds; round++) {
      var file = folder.resolve("damaged.db");
      copy(whole, file);
      var random = new Random(round);
      flip(random.nextBoolean() ? file : file.resolveSibling("damaged.db-wal"), random);
      var met = gone(file);
      if (met.isEmpty()) refused++;
      else if (!met.equals(right)) wrong.add(round + ": " + met);
      for (var end : List.of("", "-wal", "-shm", "-newest")) {
        Files.deleteIfExists(file.resolveSibling("damaged.db" + end));
      }
    }
    System.out.printf("%d of %d damaged files were refused%n", refused, rounds);
    assertThat(wrong).isEmpty();
    assertThat(refused).isPositive();
  }

  private static void flip(Path file, Random random) throws IOException {
    var bytes = Files.readAllBytes(file);
    int many = 1 + random.nextInt(8);
    for (int i = 0; i < many; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    Files.write(file, bytes);
  }
}
