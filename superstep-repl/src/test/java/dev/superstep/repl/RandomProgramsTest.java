package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.repl.host.Capabilities;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Random programs of the common part print the same here and in CPython. The gate runs 200, the
/// long form as many as it is told.
@Tag("S4")
class RandomProgramsTest {
  private static final int PROGRAMS = Integer.getInteger("superstep.programs", 200);
  private static final long SEED = Long.getLong("superstep.seed", 1);

  @BeforeAll
  static void python() {
    assumeTrue(CPython.isThere(), "skipped: there is no python3 on this machine to compare with");
  }

  @Test
  void programs_print_what_they_print_in_cpython() throws IOException, InterruptedException {
    var programs =
        LongStream.range(0, PROGRAMS)
            .mapToObj(i -> RandomPrograms.of(SEED * 1_000_003 + i))
            .toList();
    var expected = CPython.run(programs);
    var wrong = new ArrayList<String>();
    for (int i = 0; i < programs.size(); i++) {
      var here = Differential.run(programs.get(i));
      if (Differential.agree(here, expected.get(i))) continue;
      wrong.add(Differential.difference(programs.get(i), expected.get(i), here));
    }
    System.out.println("long: " + programs.size() + " programs, " + wrong.size() + " differ");
    assertThat(wrong.stream().limit(5)).isEmpty();
  }

  @Test
  void a_difference_would_be_seen() throws IOException, InterruptedException {
    var expected = CPython.run(List.of("print(1)", "print({}['x'])"));
    assertThat(expected).containsExactly("1\n", "!! KeyError");
    assertThat(Differential.agree("2\n", "1\n")).isFalse();
  }

  @Test
  void the_same_session_gives_the_same_twice() {
    var program = RandomPrograms.of(99);
    assertThat(Differential.run(program)).isEqualTo(Differential.run(program));
    assertThat(
            ReplSession.open(ReplPolicy.standard(), Capabilities.none()).execute(program).output())
        .isEqualTo(
            ReplSession.open(ReplPolicy.standard(), Capabilities.none()).execute(program).output());
  }
}
