package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are killed, not asked to end, and what the next one makes of what they left.
@Tag("W17")
@Timeout(600)
@Tag("W63")
class CrashTest {
  @TempDir Path folder;

  /// A process that runs [CrashProgram]. One thread at a time.
  private static final class Child implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final List<String> heard = new ArrayList<>();

    Child(Process process) {
      this.process = process;
      this.output = process.inputReader();
    }

    /// Reads on until so many lines with this beginning were heard in all.
    void await(String beginning, int many) throws IOException {
      while (count(beginning) < many) {
        var line = output.readLine();
        if (line == null) throw new AssertionError("it ended, after saying " + heard);
        heard.add(line);
      }
    }

    List<String> heard(String beginning) {
      return heard.stream()
          .filter(line -> line.startsWith(beginning))
          .map(line -> line.substring(beginning.length()))
          .toList();
    }

    private int count(String beginning) {
      return heard(beginning).size();
    }

    /// SIGKILL: no hook runs, nothing is flushed.
    void kill() throws InterruptedException {
      process.toHandle().destroyForcibly();
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isNotZero();
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  private Child start(String... arguments) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(CrashProgram.class.getName());
    command.add(folder.toString());
    command.addAll(List.of(arguments));
    return new Child(
        new ProcessBuilder(command).redirectError(new File(folder.toFile(), "errors")).start());
  }

  /// How often each effect happened.
  private Map<String, Integer> effects() throws IOException {
    var counts = new HashMap<String, Integer>();
    for (var line : Files.readAllLines(folder.resolve("effects"))) {
      counts.merge(line.substring(0, line.indexOf(" as ")), 1, Integer::sum);
    }
    return counts;
  }

  /// The tasks that ran, as often as they ran.
  private List<String> tasks() throws IOException {
    return Files.readAllLines(folder.resolve("effects")).stream()
        .map(line -> line.substring(line.indexOf(" as ") + 4))
        .toList();
  }

  @Test
  @Tag("T88")
  void no_task_that_had_finished_runs_again_after_a_kill_in_the_middle_of_a_fan_out()
      throws Exception {
    List<String> finished;
    try (var first = start("fan-out")) {
      first.await("started ", CrashProgram.TASKS);
      first.await("finished ", CrashProgram.TASKS / 2);
      first.kill();
      finished = first.heard("finished ");
    }
    assertThat(finished).hasSize(CrashProgram.TASKS / 2);
    try (var second = start("fan-out-again")) {
      second.await("completed ", 1);
      assertThat(second.heard("completed "))
          .containsExactly(
              IntStream.range(0, CrashProgram.TASKS)
                  .mapToObj(i -> "r" + i)
                  .collect(Collectors.joining(",")));
      assertThat(second.heard("finished ")).doesNotContainAnyElementsOf(finished);
    }
    for (var task : finished) assertThat(tasks()).containsOnlyOnce(task);
    for (int i = 0; i < CrashProgram.TASKS; i++) {
      // Those that hung had their effect before the kill; running again they keep their task id,
      // which is the idempotency key that an effect needs.
      assertThat(effects()).containsEntry("work " + i, i % 2 == 0 ? 1 : 2);
    }
    assertThat(tasks().stream().distinct()).hasSize(CrashProgram.TASKS + 1);
    assertThat(effects()).containsEntry("report", 1);
  }

  @Test
  void a_finished_superstep_does_not_run_again_after_a_kill_in_the_next() throws Exception {
    try (var first = start("chain")) {
      first.await("started second", 1);
      first.kill();
    }
    assertThat(effects()).isEqualTo(Map.of("first", 1));
    try (var second = start("chain-again")) {
      second.await("completed ", 1);
      assertThat(second.heard("completed ")).containsExactly("first,second");
      assertThat(second.heard("started ")).containsExactly("second", "report");
    }
    assertThat(effects()).isEqualTo(Map.of("first", 1, "second", 1, "report", 1));
  }

  @Test
  void no_payment_has_two_keys_and_no_step_that_returned_runs_again_after_kills() throws Exception {
    payWithKills(3, 11);
  }

  @Test
  @Tag("long")
  void no_payment_has_two_keys_and_no_step_that_returned_runs_again_after_many_kills()
      throws Exception {
    payWithKills(25, 2);
  }

  /// Asynchronously: what a task told that it had finished may be lost, but not its name.
  private void payWithKills(int kills, int each) throws Exception {
    for (int i = 0; i < kills; i++) {
      try (var child = start("pay")) {
        child.await("finished ", each);
        child.kill();
      }
    }
    try (var last = start("pay")) {
      last.await("completed ", 1);
      assertThat(last.heard("completed "))
          .containsExactly(
              IntStream.range(0, CrashProgram.PAYMENTS)
                  .mapToObj(i -> "p" + i)
                  .collect(Collectors.joining(",")));
    }
    var keys = new HashMap<String, String>();
    var charged = new HashSet<String>();
    for (var line : Files.readAllLines(folder.resolve("effects"))) {
      var what = line.substring(0, line.indexOf(" as "));
      var key = line.substring(line.indexOf(" as ") + 4);
      assertThat(keys.merge(what, key, (first, _) -> first)).isEqualTo(key);
      if (what.startsWith("charged ")) charged.add(what.substring(8));
      if (what.startsWith("charge ")) assertThat(charged).doesNotContain(what.substring(7));
    }
    assertThat(charged).hasSize(CrashProgram.PAYMENTS);
  }

  @Test
  @Tag("W18")
  @Tag("W19")
  void questions_outlive_the_process_and_are_answered_in_reverse_from_new_ones() throws Exception {
    var ids = new HashMap<String, String>();
    try (var first = start("ask")) {
      first.await("interrupted 3", 1);
      for (var asked : first.heard("asked ")) ids.put(asked.split(" ")[1], asked.split(" ")[0]);
      first.kill();
    }
    assertThat(ids).hasSize(3);
    try (var second = start("ask-again", ids.get("ask2"), "{\"approved\":true}")) {
      second.await("interrupted 2", 1);
      second.kill();
    }
    try (var third = start("ask-again", ids.get("ask1"), "{\"approved\":false,\"note\":\"no\"}")) {
      third.await("interrupted 1", 1);
      third.kill();
    }
    assertThat(effects()).isEqualTo(Map.of("ask2", 1, "ask1", 1));
    try (var fourth = start("ask-again", ids.get("ask0"), "{\"approved\":true}")) {
      fourth.await("completed ", 1);
      assertThat(fourth.heard("completed ")).containsExactly("ask0 yes,ask1 no,ask2 yes");
    }
    assertThat(effects()).isEqualTo(Map.of("ask0", 1, "ask1", 1, "ask2", 1, "report", 1));
  }
}
