package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.event.Event;
import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.flow.FlowOutcome.Suspended;
import dev.superstep.flow.FlowStep.Continue;
import dev.superstep.flow.RandomFlow.Step;
import dev.superstep.flow.RandomFlow.V;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import dev.superstep.testkit.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A flow does the same however it is driven: whole, one transition at a time, or restored from a
/// snapshot after every transition.
@Tag("P22")
@Tag("X1")
class RandomFlowTest {
  private static final int STATES = 48;
  private static final int CASES = Integer.getInteger("superstep.cases", 60);

  private record Case(List<Step> steps, int input) {}

  /// What one way of driving it came to.
  private record Ran(V output, List<String> effects, TreeMap<String, Integer> finished) {}

  @Test
  @Tag("P23")
  void whole_stepwise_and_restored_runs_are_alike() throws InterruptedException {
    var suspensions = new AtomicInteger();
    var failures = new AtomicInteger();
    Property.check(
        11,
        CASES,
        choices -> {
          var steps = RandomFlow.draw(choices);
          while (RandomFlow.size(steps) + 2 > STATES) steps = RandomFlow.draw(choices);
          return new Case(steps, choices.below(9));
        },
        one -> {
          var whole = new Driven(one);
          var expected = whole.whole();
          assertThat(new Driven(one).stepwise(false)).isEqualTo(expected);
          assertThat(new Driven(one).stepwise(true)).isEqualTo(expected);
          suspensions.addAndGet(whole.answered);
          failures.addAndGet(whole.random.failures());
        });
    // Else it would have shown nothing.
    assertThat(suspensions.get()).isGreaterThan(CASES / 4);
    assertThat(failures.get()).isPositive();
  }

  /// One run of one case.
  private static final class Driven {
    private final RandomFlow random = new RandomFlow();
    private final Flow<V, V> flow;
    private final V input;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final InMemoryCheckpointer store = new InMemoryCheckpointer();
    private int answered;
    private int threads;

    Driven(Case one) {
      this.flow = random.flow(one.steps());
      this.input = RandomFlow.input(one.input());
    }

    private RunOptions options() {
      return RunOptions.thread("t" + threads).checkpoints(store).listener(events::add);
    }

    Ran whole() throws InterruptedException {
      var options = options();
      FlowOutcome<V> outcome = null;
      var answers = Answers.none();
      boolean begun = false;
      while (!(outcome instanceof Done<V>)) {
        try {
          outcome = begun ? flow.resume(answers, options) : flow.run(input, options);
          answers = Answers.none();
          if (outcome instanceof Suspended<V>(var open)) answers = answers(open);
        } catch (FlowError.StepError e) {
          // What was answered is answered.
          answers = Answers.none();
        }
        begun = true;
      }
      return ran(outcome.output());
    }

    private Answers answers(List<PendingWait> open) {
      var all = new LinkedHashMap<String, Json>();
      for (var one : open) all.put(one.id(), answer(one));
      return Answers.json(all);
    }

    private Json answer(PendingWait one) {
      answered++;
      var asked = one.value();
      if (asked.text().startsWith("{")) {
        return Json.of(new RandomFlow.Number(asked.as(RandomFlow.Number.class).v() + 11));
      }
      return Json.of(asked.as(Long.class) + 1);
    }

    Ran stepwise(boolean restored) throws InterruptedException {
      var run = flow.start(input, options());
      FlowStep<V> step = new Continue<>(0);
      while (!(step instanceof Done<V>(var output))) {
        if (restored) run = restored(run);
        try {
          var open = run.suspensions();
          step = open.isEmpty() ? run.next() : resumed(run, open.getFirst());
        } catch (FlowError.StepError e) {
          // The next transition tries it again.
        }
      }
      return ran(((Done<V>) step).output());
    }

    private FlowStep<V> resumed(FlowRun<V, V> run, PendingWait open) throws InterruptedException {
      return run.resume(open.id(), answer(open));
    }

    /// As if in another process.
    private FlowRun<V, V> restored(FlowRun<V, V> run) {
      var snapshot = run.snapshot().json();
      var history = run.history().json();
      threads++;
      var other =
          flow.fromSnapshot(FlowSnapshot.parse(snapshot), options())
              .withHistory(FlowHistory.parse(history));
      assertThat(other.snapshot().json()).isEqualTo(snapshot);
      assertThat(other.history().json()).isEqualTo(history);
      return other;
    }

    private Ran ran(V output) {
      var done = new ArrayList<>(random.effects);
      done.sort(null);
      var finished = new TreeMap<String, Integer>();
      for (var event : events) {
        var what =
            switch (event) {
              case Event.NodeFinished e -> "finished " + path(event) + e.node();
              case Event.InterruptRaised e -> "asked " + path(event) + e.interrupt().question();
              case Event.InterruptAnswered _ -> "answered";
              case Event.NodeFailed e -> "failed " + path(event) + e.node();
              case Event.NodeEmitted e -> "emitted " + path(event) + e.name();
              default -> "";
            };
        // Two that fail in one superstep fail the node around them once.
        if (event instanceof Event.NodeFailed) finished.put(what, 1);
        else if (!what.isEmpty()) finished.merge(what, 1, Integer::sum);
      }
      return new Ran(output, done, finished);
    }

    private static String path(Event event) {
      return String.join("/", event.origin().path()) + " ";
    }
  }
}
