package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("TH8")
@Tag("long")
@Timeout(600)
class SandboxFloodTest {
  private static final long GIBIBYTE = 1L << 30;
  private static final int STOPS = 20;

  @TempDir Path temp;
  private final Sandbox sandbox = Sandbox.open();

  private SandboxCommand shell(Tier tier, String script) {
    assumeTrue(sandbox.machine().isAvailable(tier), tier + " cannot be held here");
    return SandboxCommand.of(tier, temp, "sh", "-c", script).writing(temp);
  }

  @ParameterizedTest
  @EnumSource
  void a_gibibyte_without_an_end_of_line_fills_no_heap(Tier tier) throws Exception {
    System.gc();
    long before = used();
    var asked = new AtomicInteger();
    var highest = new AtomicLong();
    var result =
        sandbox.run(
            shell(tier, "head -c %d /dev/zero | tr '\\0' x".formatted(GIBIBYTE))
                .output(OutputLimits.standard().killingAfter(2 * GIBIBYTE)),
            () -> {
              if (asked.incrementAndGet() % 2_000 == 0) {
                System.gc();
                highest.accumulateAndGet(used() - before, Math::max);
              }
              return false;
            });
    assertThat(result.isGood()).as(result.err().text()).isTrue();
    assertThat(result.out().bytes()).isEqualTo(GIBIBYTE);
    assertThat(asked.get()).isGreaterThan(2_000);
    assertThat(highest.get()).isLessThan(16 << 20);
    System.out.printf(
        "long: %s: 1 GiB in %d ms, heap grew by %d KiB at most%n",
        tier, result.took().toMillis(), highest.get() >> 10);
  }

  @ParameterizedTest
  @EnumSource
  void a_flood_stops_soon(Tier tier) throws Exception {
    var times = new ArrayList<Long>();
    for (int i = 0; i < STOPS; i++) {
      var asked = new AtomicInteger();
      var stopped = new AtomicLong();
      var result =
          sandbox.run(
              shell(tier, "tr '\\0' x </dev/zero & tr '\\0' y </dev/zero & wait"),
              () -> {
                boolean isEnough = asked.incrementAndGet() > 100;
                if (isEnough) stopped.set(System.nanoTime());
                return isEnough;
              });
      times.add((System.nanoTime() - stopped.get()) / 1_000_000);
      assertThat(result.ended()).isEqualTo(new SandboxResult.Ended.Cancelled());
    }
    times.sort(null);
    System.out.printf("long: %s: floods stopped after %s ms%n", tier, times);
    // Wide, since this is no measurement: one that is not stopped goes on for five minutes.
    assertThat(times.getLast()).isLessThan(20_000);
  }

  private static long used() {
    var memory = Runtime.getRuntime();
    return memory.totalMemory() - memory.freeMemory();
  }
}
