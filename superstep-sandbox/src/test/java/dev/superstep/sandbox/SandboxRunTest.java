package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class SandboxRunTest {
  /// Ways to leave processes behind.
  private static final List<String> LEAVING =
      List.of(
          "sleep M &",
          "setsid sleep M >/dev/null 2>&1 &",
          "(setsid sh -c 'sleep M & sleep M' &) >/dev/null 2>&1",
          "env -i setsid nohup sleep M </dev/null >/dev/null 2>&1 &",
          "perl -e 'use POSIX; fork && exit; setsid; fork && exit; exec \"sleep\", \"M\"'");

  @TempDir Path temp;
  private final Sandbox sandbox = Sandbox.open();
  private Path root;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectories(temp.toRealPath().resolve("root"));
  }

  private SandboxCommand shell(Tier tier, String script) {
    var report = sandbox.machine().of(tier);
    if (!report.isAvailable()) System.out.println("skipped: " + tier + ": " + report.missing());
    assumeTrue(report.isAvailable(), report.missing().toString());
    return SandboxCommand.of(tier, root, "sh", "-c", script).writing(root);
  }

  @ParameterizedTest
  @EnumSource
  void a_command_reads_its_input_and_writes_both_outputs(Tier tier) throws Exception {
    var text = "ä".repeat(200_000);
    var result =
        sandbox.run(
            shell(tier, "wc -c; echo err >&2; exit 3")
                .input(text.getBytes(StandardCharsets.UTF_8)));
    assertThat(result.out().text().strip()).isEqualTo("400000");
    assertThat(result.err().text()).isEqualTo("err\n");
    assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.Exited(3));
    assertThat(result.tier()).isEqualTo(tier);
  }

  @ParameterizedTest
  @EnumSource
  void a_signal_is_told_from_an_exit_code(Tier tier) throws Exception {
    assertThat(sandbox.run(shell(tier, "kill -SEGV $$")).ended())
        .isEqualTo(new SandboxResult.Ended.Signaled(11));
  }

  @ParameterizedTest
  @EnumSource
  void a_command_is_killed_with_all_that_it_started_at_its_time_limit(Tier tier) throws Exception {
    var mark = mark();
    var limit = Duration.ofMillis(400);
    var script = "(setsid sleep %s &) ; sleep %s".formatted(mark, mark);
    var result = sandbox.run(shell(tier, script).timeout(limit));
    assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.TimedOut(limit));
    assertThat(sleeping(mark)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_command_is_cancelled_and_keeps_what_it_wrote(Tier tier) throws Exception {
    var mark = mark();
    var asked = new AtomicInteger();
    var result =
        sandbox.run(
            shell(tier, "echo begun; touch begun; sleep " + mark),
            () -> Files.exists(root.resolve("begun")) && asked.incrementAndGet() > 3);
    assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.Cancelled());
    assertThat(result.out().text()).isEqualTo("begun\n");
    assertThat(sleeping(mark)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("TH7")
  void nothing_is_left_running(Tier tier) throws Exception {
    left(tier, String.join("\n", LEAVING), 6);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void nothing_is_left_running_by_one_way_alone(Tier tier) throws Exception {
    for (var script : LEAVING) left(tier, script, 1);
  }

  private void left(Tier tier, String script, int orphans) throws Exception {
    var mark = mark();
    var result = sandbox.run(shell(tier, script.replace("M", mark) + "\nsleep 0.3"));
    assertThat(result.ended()).as(script).isEqualTo(new SandboxResult.Ended.Exited(0));
    assertThat(sleeping(mark)).as(script).isEmpty();
    if (tier != Tier.BUBBLEWRAP) {
      assertThat(result.orphans()).as(script).isGreaterThanOrEqualTo(orphans);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Tag("TH6")
  void a_fork_bomb_is_capped_and_gone_at_its_end(Tier tier) throws Exception {
    var mark = mark();
    assumeTrue(
        Machine.current().group() != null || !Machine.current().isRoot(),
        "root has no limit of processes without a control group");
    var bomb = "b() { sleep %s & b | b & }; b; sleep 9".formatted(mark);
    var most = new AtomicInteger();
    var result =
        sandbox.run(
            shell(tier, bomb)
                .limits(ProcessLimits.standard().processes(64))
                .timeout(Duration.ofMillis(700)),
            () -> {
              most.accumulateAndGet(sleeping(mark).size(), Math::max);
              return false;
            });
    assertThat(most.get()).isBetween(1, 64);
    assertThat(sleeping(mark)).as(result.ended().toString()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @Tag("TH8")
  void a_flood_is_stopped_and_does_not_fill_the_heap(Tier tier) throws Exception {
    System.gc();
    long before = used();
    for (var flood : List.of("yes", "cat /dev/urandom", "tr '\\0' x </dev/zero")) {
      var result =
          sandbox.run(
              shell(tier, flood)
                  .output(OutputLimits.standard().keeping(1_000, 1_000).killingAfter(8 << 20)));
      assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.OutputExceeded(8 << 20));
      assertThat(result.out().bytes()).isGreaterThan(8 << 20);
      assertThat(result.out().isCut()).isTrue();
    }
    System.gc();
    assertThat(used() - before).isLessThan(16 << 20);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("TH5")
  void a_secret_is_in_no_arguments_that_others_may_read(Tier tier) throws Exception {
    var secret = "secret-" + mark();
    var seen = new ArrayList<String>();
    var result =
        sandbox.run(
            shell(tier, "read line; touch begun; while [ ! -e end ]; do sleep 0.01; done")
                .variable("TOKEN", secret)
                .input((secret + "\n").getBytes(StandardCharsets.UTF_8)),
            () -> {
              if (!Files.exists(root.resolve("begun"))) return false;
              if (seen.isEmpty()) seen.addAll(argumentsOfAll());
              end();
              return false;
            });
    assertThat(result.isGood()).as(result.err().text()).isTrue();
    assertThat(seen).anyMatch(words -> words.contains("touch begun"));
    assertThat(seen).noneMatch(words -> words.contains(secret));
  }

  private void end() {
    try {
      Files.write(root.resolve("end"), new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> argumentsOfAll() {
    return ProcessHandle.allProcesses()
        .map(one -> String.join(" ", one.info().arguments().orElse(new String[0])))
        .toList();
  }

  private static long used() {
    var memory = Runtime.getRuntime();
    return memory.totalMemory() - memory.freeMemory();
  }

  @Test
  void the_middle_of_an_output_is_left_out_and_counted() throws Exception {
    var result =
        sandbox.run(
            shell(Tier.PROCESS, "seq 1 1000; printf 'ää'")
                .output(OutputLimits.standard().keeping(10, 7)));
    assertThat(result.out().text())
        .isEqualTo("1\n2\n3\n4\n5\n\n[... 3880 of 3897 bytes left out ...]\n00\nää");
    assertThat(result.out().bytes()).isEqualTo(3_897);
    var all =
        sandbox.run(shell(Tier.PROCESS, "seq 1 5").output(OutputLimits.standard().keeping(4, 6)));
    assertThat(all.out().text()).isEqualTo("1\n2\n3\n4\n5\n");
  }

  @Test
  void the_whole_output_goes_to_a_file_that_only_its_owner_reads() throws Exception {
    var folder = Files.createDirectories(temp.resolve("spool"));
    var result =
        sandbox.run(
            shell(Tier.PROCESS, "umask 0; seq 1 1000")
                .output(OutputLimits.standard().keeping(10, 0).spoolingTo(folder, 2_000)));
    var file = result.out().spooled().orElseThrow();
    assertThat(Files.size(file)).isEqualTo(2_000);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_missing_tier_is_an_error_and_no_other_tier_is_taken() throws Exception {
    var reports = new ArrayList<>(sandbox.machine().tiers());
    reports.set(
        2,
        new SandboxProbe.TierReport(
            Tier.BUBBLEWRAP, false, List.of(), List.of(), List.of(), List.of("no bwrap")));
    var without = Sandbox.open(new SandboxProbe("test", reports));
    assertThatThrownBy(() -> without.run(SandboxCommand.of(Tier.BUBBLEWRAP, root, "touch", "x")))
        .isInstanceOfSatisfying(
            SandboxError.TierUnavailable.class,
            e -> assertThat(e.missing()).containsExactly("no bwrap"));
    assertThat(root).isEmptyDirectory();
    assertThatThrownBy(
            () -> sandbox.run(SandboxCommand.of(Tier.PROCESS, root, "ls").lockingMetadata()))
        .isInstanceOf(SandboxError.TierUnavailable.class);
  }

  @ParameterizedTest
  @EnumSource
  void a_program_that_is_not_there_is_an_error(Tier tier) {
    shell(tier, "");
    for (var word : List.of("no-such-program", "./none", "/none")) {
      assertThatThrownBy(() -> sandbox.run(SandboxCommand.of(tier, root, word)))
          .isInstanceOf(SandboxError.NotStarted.class)
          .hasMessageContaining(word);
    }
  }

  @Test
  void threads_of_this_program_are_not_confined_by_what_they_start() throws Exception {
    for (int i = 0; i < 20; i++) sandbox.run(shell(Tier.LANDLOCK, "true"));
    new ProcessBuilder("true").start().waitFor();
    try (var threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (var thread : threads) {
        assertThat(Files.readString(thread.resolve("status"))).contains("Seccomp:\t0");
      }
    }
    assertThat(Files.exists(Path.of("/etc/passwd"))).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"LANDLOCK", "BUBBLEWRAP"})
  void a_refusal_is_reported_as_a_guess_with_its_path(Tier tier) throws Exception {
    var outside = Files.writeString(temp.resolve("outside"), "x").toRealPath();
    var result = sandbox.run(shell(tier, "cat '%s'; touch /usr/x".formatted(outside)));
    assertThat(result.denials()).extracting(Denial::path).contains(outside.toString(), "/usr/x");
    assertThat(result.denials())
        .allSatisfy(denial -> assertThat(denial.toString()).startsWith("guess: "));
  }

  @ParameterizedTest
  @EnumSource
  void protected_names_are_refused_in_the_strictest_tier_and_reported_in_the_others(Tier tier)
      throws Exception {
    Files.createDirectories(root.resolve(".git/hooks"));
    Files.writeString(root.resolve(".git/config"), "[core]\n");
    var script =
        "echo x >.git/hooks/post-commit; echo x >>.git/config; echo x >.bashrc; mkdir .vscode;"
            + " echo x >.vscode/t; mv .git g && mkdir -p .git/hooks; echo x >.mcp.json; echo ok >f;"
            + " echo x >.git/index";
    var result = sandbox.run(shell(tier, script));
    assertThat(root.resolve("f")).hasContent("ok");
    if (tier == Tier.BUBBLEWRAP) {
      assertThat(result.protectedChanges()).isEmpty();
      assertThat(root.resolve(".git/config")).hasContent("[core]");
      assertThat(root.resolve(".git/hooks")).isEmptyDirectory();
      assertThat(root.resolve(".git/index")).exists();
      try (var names = Files.list(root)) {
        assertThat(names.map(one -> one.getFileName().toString()))
            .containsExactlyInAnyOrder(".git", "f");
      }
    } else {
      assertThat(result.protectedChanges())
          .contains(root.resolve(".git/hooks"), root.resolve(".bashrc"), root.resolve(".vscode"));
    }
  }

  @Test
  void a_protected_name_that_is_a_link_is_an_error() throws Exception {
    Files.createSymbolicLink(root.resolve(".vscode"), temp);
    assertThatThrownBy(() -> sandbox.run(shell(Tier.BUBBLEWRAP, "true")))
        .isInstanceOf(SandboxError.Unprotectable.class);
  }

  @Test
  void a_variable_that_loads_code_does_not_reach_what_makes_the_sandbox() throws Exception {
    var result =
        sandbox.run(shell(Tier.BUBBLEWRAP, "env").variable("LD_DEBUG", "libs").variable("A", "b"));
    assertThat(result.out().text()).contains("A=b\n", "LD_DEBUG=libs\n");
    assertThat(result.err().text()).doesNotContain("bwrap");
  }

  @Test
  void a_policy_hash_is_stable_and_tells_policies_apart() {
    var first = SandboxCommand.of(Tier.LANDLOCK, root, "a").writing(root);
    var hash = sandbox.policyHash(first);
    assertThat(hash).hasSize(64).isEqualTo(sandbox.policyHash(first));
    assertThat(sandbox.policyHash(SandboxCommand.of(Tier.LANDLOCK, root, "b").writing(root)))
        .isEqualTo(hash);
    assertThat(
            List.of(
                sandbox.policyHash(first.lockingMetadata()),
                sandbox.policyHash(first.writing(temp)),
                sandbox.policyHash(SandboxCommand.of(Tier.BUBBLEWRAP, root, "a").writing(root)),
                sandbox.policyHash(first.limits(ProcessLimits.standard().processes(3)))))
        .doesNotContain(hash)
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void a_started_program_answers_requests_until_it_is_closed(Tier tier) throws Exception {
    var mark = mark();
    try (var process = sandbox.start(shell(tier, "sleep %s & cat".formatted(mark)))) {
      process.input().write("hello\n".getBytes(StandardCharsets.UTF_8));
      process.input().flush();
      assertThat(new String(process.output().readNBytes(6), StandardCharsets.UTF_8))
          .isEqualTo("hello\n");
      assertThat(process.await(Duration.ofMillis(1))).isEmpty();
    }
    assertThat(sleeping(mark)).isEmpty();
  }

  private static final AtomicInteger MARKS = new AtomicInteger(7_000_000);

  /// A number of seconds that no other test sleeps for.
  private static String mark() {
    return String.valueOf(MARKS.addAndGet(1) * 100L + ProcessHandle.current().pid() % 100);
  }

  private static List<Long> sleeping(String mark) {
    return ProcessHandle.allProcesses()
        .filter(one -> one.info().arguments().map(List::of).orElse(List.of()).equals(List.of(mark)))
        .map(ProcessHandle::pid)
        .toList();
  }
}
