package dev.superstep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.Plan.Cell;
import dev.superstep.bench.Side.Ready;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RunnerTest {
  private static final Set<Contender> BOTH = Set.of(Contender.LIMIT, Contender.ADK);

  @Test
  void results_are_saved_after_each_case_so_that_an_interrupted_run_keeps_them() throws Exception {
    var cells = List.of(new Cell("W1", "loop-10", BOTH), new Cell("W2", "sends-10", BOTH));
    var sides = BOTH.stream().map(system -> new Side(system, new Ready.Absent("gone"))).toList();
    var saved = new ArrayList<Integer>();
    new Runner(sides, new PrintStream(OutputStream.nullOutputStream()))
        .run(
            new Plan(cells, 1, 5, Duration.ofSeconds(1)),
            results -> saved.add(results.missing().size()));
    assertThat(saved).containsExactly(2, 4);
  }

  @Test
  void the_time_to_warm_up_can_be_chosen() {
    var options = Options.parse(List.of("--brief", "--warm-up", "0.5"));
    assertThat(Plan.of(options).warmUp()).isEqualTo(Duration.ofMillis(500));
    assertThat(Plan.of(Options.parse(List.of("--brief"))).warmUp())
        .isGreaterThan(Duration.ofSeconds(5));
  }
}
