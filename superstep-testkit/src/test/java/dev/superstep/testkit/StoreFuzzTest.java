package dev.superstep.testkit;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Subgraph;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Ask;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Breakpoints;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A thread whose store gives back something else than it was given ends in an error that says so,
/// or goes on; it never hangs, and nothing else is thrown.
@Tag("G34")
@Timeout(600)
class StoreFuzzTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 800);

  private static final Channel<List<String>, String> SAID = Channel.append("said", String.class);
  private static final Channel<Integer, Integer> ROUND = Channel.latest("round", Integer.class);
  private static final Channel<Map<String, Integer>, Map<String, Integer>> SEEN =
      Channel.merge("seen", Integer.class);
  private static final Channel<Set<String>, String> READY = Channel.barrier("ready", Set.of("a"));
  private static final Channel<String, String> TOKEN = Channel.token("token", String.class);
  private static final Channel<Long, Long> DELTA =
      Channel.delta("delta", Long.class, Long.class, 0L, Long::sum);
  private static final Target<Integer> PART = Target.of("part", Integer.class);
  private static final Question<String, String> ASK =
      Question.of("ask", String.class, String.class);

  private static NodeResult ask(dev.superstep.node.NodeContext context) {
    return context.resumePoint().isEmpty()
        ? Ask.of(ASK, "how?").with(Update.of(DELTA, 2L))
        : Update.of(SAID, context.answer(ASK));
  }

  private static Graph inner() {
    return Graph.named("inner")
        .channels(SAID)
        .questions(ASK)
        .node("deep", (_, context) -> Update.of(SAID, context.interrupt(ASK, "deep?")))
        .edge(START, "deep")
        .edge("deep", END)
        .compile();
  }

  private static Graph graph() {
    return Graph.named("kept")
        .channels(SAID, ROUND, SEEN, READY, TOKEN, DELTA)
        .questions(ASK)
        .node(
            "plan",
            (_, _) -> Update.of(ROUND, 1).and(SEEN, Map.of("a", 1)).and(READY, "a").and(DELTA, 1L))
        .node(
            PART,
            (n, _, context) -> {
              var step = context.step("work", String.class, () -> "s" + n);
              return Update.of(SAID, step + (n > 1 ? context.interrupt(ASK, "n") : ""));
            })
        .node("ask", (_, context) -> ask(context))
        .node("inside", Subgraph.shared(inner()))
        .node("woken", (_, _) -> Update.of(TOKEN, "t"))
        .node("join", (state, _) -> Update.of(SAID, "" + state.get(DELTA)))
        .node("last", (_, _) -> NodeResult.nothing())
        .edge(START, "plan")
        .fanOut("plan", _ -> List.of(Send.to(PART, 1), Send.to(PART, 2)), PART)
        .edge("plan", "ask")
        .edge("plan", "inside")
        .trigger("woken", READY)
        .join(List.of("ask", "inside"), "join")
        .edge("part", "last")
        .edge("join", "last")
        .edge("last", END)
        .deferred("last")
        .runWhenChanged("join", DELTA)
        .compile();
  }

  /// A store that gives back the answers of its choosing.
  ///
  /// @param spared how many answers are as they should be before one is not
  private static Checkpointer damaging(Checkpointer store, Choices choices, int spared) {
    var left = new AtomicInteger(spared);
    var damage = new Damage(choices);
    // A run that cannot use what it read acquires the thread and reads it again, and finds the
    // same.
    var found = new AtomicReference<Map.Entry<Object, Object>>();
    return (Checkpointer)
        Proxy.newProxyInstance(
            Checkpointer.class.getClassLoader(),
            store.getClass().getInterfaces(),
            (self, method, arguments) -> {
              if (method.getName().equals("capability")) {
                return Optional.of(self).filter(((Class<?>) arguments[0])::isInstance);
              }
              try {
                var result = method.invoke(store, arguments);
                var read = read(result);
                var again = found.getAndSet(null);
                if (again != null
                    && result instanceof AcquiredThread
                    && again.getKey().equals(read)) {
                  return with(result, again.getValue());
                }
                boolean hit = isStored(read) && left.getAndDecrement() == 0;
                if (!hit) return result;
                var damaged = damage.stored(read);
                found.set(Map.entry(read, damaged));
                return with(result, damaged);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /// Returns what a call has read, without the lease and the token beside it, which are given.
  private static Object read(Object result) {
    if (result instanceof AcquiredThread acquired) return acquired.threadRecord();
    var found = result instanceof Optional<?> one ? one.orElse(null) : null;
    return found instanceof IdleThread idle ? idle.threadRecord() : result;
  }

  @SuppressWarnings("unchecked") // damage leaves the types as they are
  private static Object with(Object result, Object damaged) {
    if (result instanceof AcquiredThread acquired) {
      return new AcquiredThread(acquired.lease(), (Optional<ThreadRecord>) damaged);
    }
    var found = result instanceof Optional<?> one ? one.orElse(null) : null;
    if (!(found instanceof IdleThread idle)) return damaged;
    return Optional.of(
        new IdleThread(idle.thread(), idle.token(), (Optional<ThreadRecord>) damaged));
  }

  private static boolean isStored(Object result) {
    return result instanceof Optional<?> found
            && found.isPresent()
            && !(found.get() instanceof Lease)
        || result instanceof List<?> list && !list.isEmpty()
        || result instanceof Record && !(result instanceof Lease);
  }

  private static Outcome step(Graph graph, RunOptions options) throws InterruptedException {
    var state = graph.state(options);
    if (state.isEmpty()) return graph.invoke(Input.none(), options);
    var questions = state.get().questions();
    if (questions.isEmpty()) return graph.resume(Answers.none(), options);
    return graph.resume(Answers.of(questions.getFirst().id(), ASK, "yes"), options);
  }

  /// Goes on until the end, as far as the store lets it.
  private static State toTheEnd(Graph graph, RunOptions options) throws InterruptedException {
    for (int turns = 0; turns < 20; turns++) {
      if (step(graph, options) instanceof Outcome.Completed(var state)) return state;
    }
    throw new AssertionError("it does not come to an end");
  }

  /// What is damaged, and when. The choices are made while the thread runs, so they are given anew.
  record Case(int turns, int spared, int seed) {}

  @Test
  void a_thread_of_a_damaged_store_resumes_or_reports_the_damage() throws Exception {
    var graph = graph();
    var refused = new AtomicInteger();
    var ended = new AtomicInteger();
    Property.check(
        9_000_000,
        CASES,
        choices -> new Case(choices.below(6), choices.below(12), choices.below(1_000_000)),
        at -> {
          var store = new InMemoryCheckpointer();
          var options = RunOptions.thread("t").breakpoints(Breakpoints.none().before("last"));
          for (int i = 0; i <= at.turns(); i++) step(graph, options.checkpoints(store));
          var damaged = damaging(store, Choices.random(at.seed()), at.spared());
          try {
            toTheEnd(graph, options.checkpoints(damaged));
            ended.incrementAndGet();
          } catch (SuperstepException e) {
            assertThat(e.code()).contains(".");
            assertThat(e).message().isNotBlank();
            refused.incrementAndGet();
          }
        });
    assertThat(refused.get()).isGreaterThan(CASES / 10);
    assertThat(ended.get()).isGreaterThan(CASES / 10);
  }
}
