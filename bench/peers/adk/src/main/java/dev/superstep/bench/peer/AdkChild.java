package dev.superstep.bench.peer;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.InvocationContext;
import com.google.adk.agents.LoopAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.agents.SequentialAgent;
import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.runner.InMemoryRunner;
import com.google.genai.types.Content;
import com.google.genai.types.Part;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.Heap;
import dev.superstep.bench.measure.ProgramStart;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Repetition;
import dev.superstep.bench.measure.Span;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// The workloads as the workflow agents of Google ADK do them, by their public interface: a node is
/// an agent without a model that emits one event with what it changes. The session in memory keeps
/// every event. There are no reducers, so in W2 each branch writes a key of its own; and there is
/// nothing like W3, W5 and W9.
public final class AdkChild {
  private static final ColdStart COLD = new ColdStart(SmallPrograms.class.getName());
  private static final Content GO = Content.fromParts(Part.fromText("go"));

  private AdkChild() {}

  public static void main(String[] arguments) throws Exception {
    Child.run(
        "adk",
        Map.of(
            "W1 loop", AdkChild::loop,
            "W1 chain", AdkChild::chain,
            "W2 sends", AdkChild::fanOut,
            "W4 runs", AdkChild::concurrent,
            "W6 program", new ProgramStart(Smallest.class.getName(), "result 2"),
            "W15 one", COLD,
            "W15 chain", COLD,
            "W15 fanout", COLD,
            "W15 memory", COLD,
            "W15 agent", COLD),
        arguments);
    System.exit(0);
  }

  static final class Step extends BaseAgent {
    private final Function<Map<String, Object>, Map<String, Object>> body;

    Step(String name, Function<Map<String, Object>, Map<String, Object>> body) {
      super(name, "", List.of(), List.of(), List.of());
      this.body = body;
    }

    @Override
    protected Flowable<Event> runAsyncImpl(InvocationContext context) {
      return Flowable.fromCallable(() ->
          Event.builder()
              .id(Event.generateEventId())
              .invocationId(context.invocationId())
              .author(name())
              .actions(
                  EventActions.builder()
                      .stateDelta(new ConcurrentHashMap<>(body.apply(context.session().state())))
                      .build())
              .build());
    }

    @Override
    protected Flowable<Event> runLiveImpl(InvocationContext context) {
      return Flowable.empty();
    }
  }

  private static void loop(Case what, Recorder out) throws Exception {
    int steps = what.number(1);
    var runner = new InMemoryRunner(counting(steps, 0));
    new Repetition(what, out).measure("LoopAgent", "step", steps, steps, () -> n(run(runner)));
  }

  private static void chain(Case what, Recorder out) throws Exception {
    int nodes = what.number(1);
    int runs = what.number(2);
    var agents = new ArrayList<BaseAgent>();
    for (int i = 0; i < nodes; i++) agents.add(new Step("n" + i, AdkChild::counted));
    var runner = runner(agents);
    new Repetition(what, out)
        .measure(
            "SequentialAgent",
            "step",
            nodes * runs,
            nodes * runs,
            () -> {
              int sum = 0;
              for (int i = 0; i < runs; i++) sum += n(run(runner));
              return sum;
            });
  }

  private static void fanOut(Case what, Recorder out) throws Exception {
    int sends = what.number(1);
    var agents = new ArrayList<BaseAgent>();
    for (int i = 0; i < sends; i++) {
      var item = "item-" + i;
      agents.add(new Step("task" + i, _ -> Map.of(item, item)));
    }
    var runner = new InMemoryRunner(ParallelAgent.builder().name("fan").subAgents(agents).build());
    new Repetition(what, out)
        .measure(
            "static-ParallelAgent",
            "send",
            sends,
            (long) sends,
            () -> run(runner).keySet().stream().filter(key -> key.startsWith("item-")).count());
  }

  private static void concurrent(Case what, Recorder out) throws Exception {
    int runs = what.number(1);
    int steps = what.number(2);
    var runner = new InMemoryRunner(counting(steps, what.number(3)));
    what.warmUp(out, "vthread", 1, () -> atOnce(runner, runs));
    for (int i = 0; i < what.repetitions(); i++) {
      var sum = new int[1];
      var span = Span.of(() -> sum[0] = atOnce(runner, runs));
      out.check("vthread", runs * steps, sum[0]);
      out.add("vthread", "wall_ms", span.micros() / 1_000);
      out.add("vthread", "cpu_ms", span.cpuMicros() / 1_000);
    }
    out.add("vthread", "peak_bytes", Heap.peakBytes());
  }

  private static int atOnce(InMemoryRunner runner, int runs) throws Exception {
    int sum = 0;
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var working = new ArrayList<Future<Integer>>();
      for (int i = 0; i < runs; i++) working.add(threads.submit(() -> n(run(runner))));
      for (var run : working) sum += run.get();
    }
    return sum;
  }

  private static LoopAgent counting(int steps, int millis) {
    var step =
        new Step(
            "count",
            state -> {
              try {
                if (millis > 0) Thread.sleep(millis);
                return counted(state);
              } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted", e);
              }
            });
    return LoopAgent.builder().name("loop").maxIterations(steps).subAgents(step).build();
  }

  static InMemoryRunner runner(List<BaseAgent> agents) {
    return new InMemoryRunner(SequentialAgent.builder().name("chain").subAgents(agents).build());
  }

  static Map<String, Object> run(InMemoryRunner runner) {
    var sessions = runner.sessionService();
    var session = sessions.createSession(runner.appName(), "user").blockingGet();
    runner.runAsync("user", session.id(), GO).blockingSubscribe();
    return sessions
        .getSession(runner.appName(), "user", session.id(), Optional.empty())
        .blockingGet()
        .state();
  }

  static int n(Map<String, Object> state) {
    return (int) state.getOrDefault("n", 0);
  }

  static Map<String, Object> counted(Map<String, Object> state) {
    return Map.of("n", n(state) + 1);
  }

  /// W6: the least program that runs two agents.
  public static final class Smallest {
    private Smallest() {}

    public static void main(String[] arguments) {
      var agents =
          List.<BaseAgent>of(new Step("a", AdkChild::counted), new Step("b", AdkChild::counted));
      System.out.println("result " + n(run(runner(agents))));
      System.exit(0);
    }
  }
}
