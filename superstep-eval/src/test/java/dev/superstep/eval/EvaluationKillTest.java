package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An evaluation whose process is killed again and again ends with each trial counted once.
class EvaluationKillTest {
  @TempDir Path folder;
  private String url = "";

  @Test
  @Timeout(300)
  void eachTrialIsCountedOnceWhereTheResultsAreInPostgres() throws Exception {
    url = PostgresServer.shared().freshDatabase().url();
    try (var pool = EvaluationProcess.pool(url)) {
      PostgresCheckpointer.migrate(pool);
    }
    check(24, 2, 1, 3);
  }

  @Test
  @Timeout(300)
  void eachTrialIsCountedOnceHoweverOftenTheProcessIsKilled() throws Exception {
    check(60, 1, 2, 5);
  }

  @Test
  @Tag("long")
  @Timeout(3_600)
  void eachTrialOfManyIsCountedOnce() throws Exception {
    check(
        Integer.getInteger("superstep.evalCases", 1_000),
        1,
        Integer.getInteger("superstep.evalKills", 10),
        Long.getLong("superstep.seed", 11));
  }

  private void check(int cases, int repeats, int kills, long seed) throws Exception {
    var random = new Random(seed);
    int trials = cases * repeats;
    int killed = 0;
    while (killed < kills) {
      // So that something is left for the last process.
      int most = trials / (kills + 1);
      if (!isKilledAfter(1 + random.nextInt(most), cases, repeats)) break;
      killed++;
    }
    assertThat(killed).isEqualTo(kills);
    assertThat(isKilledAfter(Integer.MAX_VALUE, cases, repeats)).isFalse();
    int right = 0;
    for (int i = 0; i < cases; i++) if (EvaluationProcess.isRight(i)) right++;
    try (var pool = EvaluationProcess.pool(url);
        var store = EvaluationProcess.store(folder, pool)) {
      var result = Evaluation.stored(EvaluationProcess.NAME, store);
      assertThat(result.isComplete()).isTrue();
      assertThat(result.summary().cases()).isEqualTo(cases);
      assertThat(result.summary().passed()).isEqualTo(right * repeats);
      var keys = new HashSet<String>();
      for (var trial : result.trials()) {
        assertThat(keys.add(trial.item().id() + "#" + trial.repeat())).isTrue();
        assertThat(trial.observation().spent().calls()).isEqualTo(2);
        assertThat(trial.judging().calls()).isEqualTo(1);
      }
      assertThat(keys).hasSize(trials);
    }
    assertCalls(cases, repeats, kills);
  }

  /// A tool runs once for each trial, and again only where the process was killed during its call.
  private void assertCalls(int cases, int repeats, int kills) {
    var calls = new HashMap<String, Integer>();
    for (var line : new Notes(folder.resolve("calls")).all()) calls.merge(line, 1, Integer::sum);
    assertThat(calls).hasSize(cases);
    int again = calls.values().stream().mapToInt(times -> times - repeats).sum();
    assertThat(again).isBetween(0, kills * EvaluationProcess.CONCURRENCY);
    System.out.println(
        "long: %,d trials, killed %d times, %d calls of tools made again"
            .formatted(cases * repeats, kills, again));
  }

  /// Kills a process after so many trials got their results.
  ///
  /// @return false if it ended before that
  private boolean isKilledAfter(int trials, int cases, int repeats)
      throws IOException, InterruptedException {
    var process = ChildJvm.plain().start(EvaluationProcess.class, folder, cases, repeats, url);
    int seen = 0;
    boolean isEnded = false;
    try (var output = process.inputReader()) {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals("trial") && ++seen == trials) break;
        if (line.startsWith("ended ")) isEnded = true;
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    if (!isEnded && seen < trials) throw new AssertionError("the process failed after " + seen);
    return !isEnded;
  }
}
