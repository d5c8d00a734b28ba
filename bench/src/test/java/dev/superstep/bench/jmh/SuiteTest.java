package dev.superstep.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

final class SuiteTest {
  /// Nobody waits for the whole suite to see that a benchmark cannot even begin.
  @Test
  void each_benchmark_runs() throws Exception {
    var ran = new ArrayList<String>();
    for (var type :
        List.of(
            Keeping.class, RagSources.class, Supersteps.class, Threads.class, ToolCalls.class)) {
      var state = type.getConstructor().newInstance();
      for (var method : type.getMethods()) {
        if (method.isAnnotationPresent(Setup.class)) method.invoke(state);
      }
      for (var method : type.getMethods()) {
        if (!method.isAnnotationPresent(Benchmark.class)) continue;
        assertThatCode(() -> method.invoke(state)).as(method.getName()).doesNotThrowAnyException();
        ran.add(method.getName());
      }
    }
    assertThat(ran).contains("sequentialSuperstep", "park", "resume", "toolCall", "parse1Megabyte");
  }
}
