package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// Something that happens to a task before or after its work. Safe for many threads.
interface Trouble {
  Trouble NONE = _ -> {};

  void before(NodeContext context);

  default void after(NodeContext context) {}

  final class OnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /// Counts how often each task got through its work.
  abstract class Counted implements Trouble {
    private final Map<String, Integer> finished = new ConcurrentHashMap<>();

    @Override
    public void after(NodeContext context) {
      finished.merge(context.task(), 1, Integer::sum);
    }

    void assertEachRanOnce() {
      assertThat(finished).allSatisfy((_, runs) -> assertThat(runs).isEqualTo(1));
    }
  }

  /// About half of all tasks fail the first time.
  final class FailsOnce extends Counted {
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    @Override
    public void before(NodeContext context) {
      var task = context.task();
      if (task.hashCode() % 2 == 0 && failed.add(task)) throw new OnPurpose();
    }
  }

  /// Each task fails up to three times in a row.
  final class FailsSome implements Trouble {
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();
    private final LongAdder failures = new LongAdder();

    @Override
    public void before(NodeContext context) {
      var task = context.task();
      if (runs.merge(task, 1, Integer::sum) > Math.floorMod(task.hashCode(), 4)) return;
      failures.increment();
      throw new OnPurpose();
    }

    long failures() {
      return failures.sum();
    }
  }

  /// Many tasks ask once or twice before they work.
  final class Asks extends Counted {
    static final Question<String, Integer> ASK = Question.of("ask", String.class, Integer.class);
    private final LongAdder answers = new LongAdder();

    @Override
    public void before(NodeContext context) {
      int many = Math.floorMod(context.task().hashCode(), 3);
      for (int i = 0; i < many; i++) {
        var payload = context.task() + " asks " + i;
        assertThat(context.interrupt(ASK, payload)).isEqualTo(answer(payload));
        answers.increment();
      }
    }

    static int answer(String payload) {
      return payload.hashCode();
    }

    long answers() {
      return answers.sum();
    }
  }
}
