package dev.superstep.flow;

import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the agents of a run really did, kept by their models and tools themselves, and each limit
/// that was passed. The run `run/c1-0` is that of the agent which call `c1-0` of the agent `run`
/// began; `run/c1-0.2` is the second one that this call began. Safe for many threads.
final class CallBooks {
  private final Map<String, Run> runs = new LinkedHashMap<>();
  private final List<String> excesses = new ArrayList<>();
  private final boolean isAlone;
  private int active;
  private boolean ended;
  private boolean isCancelled;

  /// @param isAlone whether the run does one thing at a time
  CallBooks(boolean isAlone) {
    this.isAlone = isAlone;
  }

  /// A run of an agent.
  private static final class Run {
    private final LimitedAgent agent;
    private final Instant began;
    private final Set<String> calls = new HashSet<>();
    private final Map<String, Integer> activeTools = new LinkedHashMap<>();
    private int requests;
    private int turns;
    private int requestsInside;
    private Usage usageInside = Usage.NONE;
    private BigDecimal costInside = BigDecimal.ZERO;

    Run(LimitedAgent agent, Instant began) {
      this.agent = agent;
      this.began = began;
    }
  }

  /// Another process begins, or the same one again.
  synchronized void begins() {
    ended = false;
    isCancelled = false;
  }

  /// The run has returned or thrown: nothing may be at work any more.
  synchronized void ends() {
    ended = true;
    check(active == 0, "run", "%d calls are at work after its end", active);
  }

  /// Somebody has cancelled the outermost agent.
  synchronized void cancelled() {
    isCancelled = true;
  }

  /// A model is asked.
  ///
  /// @return which request of its agent it is, from 1
  synchronized int asked(String path, LimitedAgent agent, Instant now) {
    var own = runs.computeIfAbsent(path, _ -> new Run(agent, now));
    begin(path, "asks");
    check(!isCancelled || path.contains("/"), path, "asks after it was cancelled");
    check(own.turns < agent.limits().modelCalls(), path, "asks a %dth time", own.turns + 1);
    int level = 0;
    boolean isNested = true;
    for (var at = path; !at.isEmpty(); at = around(at)) {
      level++;
      var limits = of(at).agent.limits();
      if (isNested) check(level <= limits.depth(), at, "has agents %d deep", level);
      // Levels are counted from one agent to the next that it calls itself.
      isNested &= of(at).agent.called().isAgent();
      if (isAlone && limits.seconds() > 0 && at.equals(path)) {
        var worked = Duration.between(of(at).began, now);
        check(
            worked.compareTo(Duration.ofSeconds(limits.seconds())) < 0,
            at,
            "asks for %s after %s",
            path,
            worked);
      }
      of(at).requestsInside++;
      over(at, "calls", of(at).requestsInside, limits.calls());
    }
    return ++own.requests;
  }

  /// It has replied, and that counts as a turn, or it has failed.
  synchronized void replied(String path, Usage usage, boolean isTurn) {
    active--;
    if (isTurn) of(path).turns++;
    var cost = LimitedAgent.PRICES.cost(new ModelRef("scripted", "any"), usage).orElseThrow();
    for (var at = path; !at.isEmpty(); at = around(at)) {
      var run = of(at);
      run.usageInside = run.usageInside.plus(usage);
      run.costInside = run.costInside.add(cost);
      over(at, "tokens", run.usageInside.total(), run.agent.limits().tokens());
      long micros = run.costInside.movePointRight(6).longValueExact();
      over(at, "micros", micros, run.agent.limits().micros());
    }
    for (var at = path; at.contains("/"); at = around(at)) counted(around(at), callOf(at));
  }

  /// A tool is called.
  synchronized void called(String path) {
    begin(path, "is called");
    var run = of(around(path));
    counted(around(path), callOf(path));
    run.activeTools.merge(callOf(path), 1, Integer::sum);
    int most = run.agent.limits().concurrency();
    check(run.activeTools.size() <= most, around(path), "has %s at once", run.activeTools.keySet());
  }

  /// It has returned or thrown.
  synchronized void returned(String path) {
    active--;
    of(around(path)).activeTools.remove(callOf(path));
  }

  private void begin(String path, String what) {
    active++;
    check(!ended, path, "%s after the end of the run", what);
    check(!isAlone || active == 1, path, "%s beside %d others", what, active - 1);
  }

  private void counted(String path, String call) {
    var run = of(path);
    run.calls.add(call);
    int most = run.agent.limits().toolCalls();
    check(run.calls.size() <= most, path, "made %d tool calls", run.calls.size());
  }

  /// The limits that were passed.
  synchronized List<String> excesses() {
    return List.copyOf(excesses);
  }

  private Run of(String path) {
    var run = runs.get(path);
    if (run == null) throw new IllegalStateException("no agent has begun as " + path);
    return run;
  }

  private static String around(String path) {
    int end = path.lastIndexOf('/');
    return end < 0 ? "" : path.substring(0, end);
  }

  /// The call that began a run, whichever of its runs it is.
  private static String callOf(String path) {
    var last = path.substring(path.lastIndexOf('/') + 1);
    int dot = last.indexOf('.');
    return dot < 0 ? last : last.substring(0, dot);
  }

  private void over(String path, String what, long used, int most) {
    check(most == 0 || used <= most, path, "used %d of %d %s", used, most, what);
  }

  private void check(boolean holds, String path, String what, @Nullable Object... values) {
    if (!holds) excesses.add(path + " " + what.formatted(values));
  }
}
