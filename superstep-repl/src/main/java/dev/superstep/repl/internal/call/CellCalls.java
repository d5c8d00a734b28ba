package dev.superstep.repl.internal.call;

import dev.superstep.agent.run.LimitReached;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.NodeFailed;
import dev.superstep.graph.Parallel;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.AgentContext;
import dev.superstep.model.ModelException;
import dev.superstep.model.Usage;
import dev.superstep.node.ItemResult;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.repl.record.CallCost;
import dev.superstep.repl.record.CallRecord;
import dev.superstep.repl.record.CallRecord.Answer;
import dev.superstep.repl.record.ReplayDivergence;
import dev.superstep.repl.record.SessionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The calls of one cell: each is made and saved, or answered from the record of an earlier run of
/// the cell. For the thread of the node.
public final class CellCalls {
  private static final String FATAL = "fatal:";

  private final int cell;
  private final List<CallRecord> known;
  private final @Nullable AgentContext context;
  private final CallCounts counts;
  private final List<CallRecord> made = new ArrayList<>();
  private final Map<String, Usage> usages = new ConcurrentHashMap<>();
  private @Nullable ReplayDivergence divergence;

  /// @param known what was recorded of a cell that is run again
  /// @param context makes the calls; null if there must be none that is not known
  public CellCalls(
      int cell, List<CallRecord> known, @Nullable AgentContext context, CallCounts counts) {
    this.cell = cell;
    this.known = known;
    this.context = context;
    this.counts = counts;
  }

  /// The work of a call.
  @FunctionalInterface
  public interface Work {
    /// Makes the call.
    ///
    /// @param key tells the steps of this call from those of others in the node
    HostValue run(AgentContext context, String key) throws Exception;
  }

  /// The work for an item of a batch.
  @FunctionalInterface
  public interface ItemWork {
    HostValue run(int item, AgentContext context, String key) throws Exception;
  }

  /// A call: its kind for the limits, the name of what is called, and what it is given.
  public record Call(CallKind kind, String name, HostValue arguments) {
    String digest() {
      return HostJson.digest(kind.label() + " " + name, arguments);
    }
  }

  public List<CallRecord> made() {
    return List.copyOf(made);
  }

  /// The first thing that did not fit the record, if anything did not.
  public @Nullable ReplayDivergence divergence() {
    return divergence;
  }

  /// Makes a call, or gives what it gave.
  public HostValue make(Call call, Work work) throws HostFailure, InterruptedException {
    counts.take(call.kind(), 1);
    int number = made.size();
    var digest = call.digest();
    Answer answer;
    if (number < known.size()) answer = recalled(digest, 1).getFirst();
    else {
      var own = live(number);
      var item = new Item(call, number + 1, 0, digest);
      answer =
          ended(call, digest, () -> List.of(saved(own, item, () -> attempt(own, item, work))))
              .getFirst();
      check(digest, answer.digest(), number);
    }
    made.add(new CallRecord(call.kind().label(), call.name(), digest, false, List.of(answer)));
    if (answer.isError()) throw HostFailure.catchable(answer.code(), answer.message());
    return HostJson.read(answer.value());
  }

  /// Makes the calls of a batch side by side. Each item is a result of its own.
  public HostValue batch(Call call, int items, ItemWork work)
      throws HostFailure, InterruptedException {
    // All or none: a batch that the limits do not allow begins no call.
    counts.take(call.kind(), items);
    int number = made.size();
    var digest = call.digest();
    var answers =
        number < known.size()
            ? recalled(digest, items)
            : ended(call, digest, () -> answers(call, digest, items, work));
    made.add(new CallRecord(call.kind().label(), call.name(), digest, true, answers));
    return new HostValue.Items(
        answers.stream()
            .<HostValue>map(a ->
                a.isError()
                    ? new HostValue.Outcome(false, HostValue.NOTHING, a.message())
                    : new HostValue.Outcome(true, HostJson.read(a.value()), ""))
            .toList());
  }

  private List<Answer> answers(Call call, String digest, int items, ItemWork work)
      throws HostFailure, InterruptedException {
    int number = made.size();
    var own = live(number);
    var results =
        Parallel.over(IntStream.range(0, items).boxed().toList())
            .concurrency(counts.concurrency())
            .map(
                own.node(),
                Answer.class,
                (i, fork) ->
                    attempt(
                        own.in(fork),
                        new Item(call, number + 1, i + 1, digest),
                        (inner, key) -> work.run(i, inner, key)));
    var answers = new ArrayList<Answer>();
    for (var result : results.all()) {
      switch (result) {
        case ItemResult.Succeeded<Answer>(var answer) -> {
          check(digest, answer.digest(), number);
          answers.add(answer);
        }
        case ItemResult.Failed<Answer>(var error) -> {
          if (error instanceof Error broken) throw broken;
          throw fatal(error);
        }
        case ItemResult.Cancelled<Answer> _ ->
            throw new InterruptedException("batch " + call.name() + " was cancelled");
      }
    }
    return answers;
  }

  @FunctionalInterface
  private interface Answering {
    List<Answer> answers() throws HostFailure, InterruptedException;
  }

  /// Answers a call. One that ends the cell is in its record, too: the cell must end there again.
  private List<Answer> ended(Call call, String digest, Answering work)
      throws HostFailure, InterruptedException {
    try {
      return work.answers();
    } catch (HostFailure e) {
      if (divergence == null) {
        var end = new Answer(digest, Json.ofNull(), FATAL + e.code(), e.reason(), null);
        made.add(new CallRecord(call.kind().label(), call.name(), digest, false, List.of(end)));
      }
      throw e;
    }
  }

  private List<Answer> recalled(String digest, int items) throws HostFailure {
    int number = made.size();
    var record = known.get(number);
    check(record.digest(), digest, number);
    var first = record.answers().getFirst();
    if (first.code().startsWith(FATAL)) {
      made.add(record);
      throw HostFailure.fatal(first.code().substring(FATAL.length()), first.message());
    }
    if (record.answers().size() != items) {
      throw diverged(number, "it has %d answers".formatted(record.answers().size()));
    }
    for (var answer : record.answers()) check(digest, answer.digest(), number);
    return record.answers();
  }

  private void check(String expected, String found, int number) throws HostFailure {
    if (!expected.equals(found)) {
      throw diverged(
          number, "it was given %s, and is given %s".formatted(cut(expected), cut(found)));
    }
  }

  private static String cut(String digest) {
    return digest.length() > 12 ? digest.substring(0, 12) : digest;
  }

  private HostFailure diverged(int number, String difference) {
    if (divergence == null) divergence = new ReplayDivergence(cell, number + 1, difference);
    return HostFailure.fatal("replay-divergence", String.valueOf(divergence.getMessage()));
  }

  private AgentContext live(int number) throws HostFailure {
    if (context == null) throw diverged(number, "the record has no such call");
    // Also for a call that an earlier process has made: the node pays for it.
    return context.in(context.node());
  }

  /// A call, or one of a batch.
  ///
  /// @param number of the call in the cell, from 1
  /// @param item of the batch, from 1; 0 if it is in none
  private record Item(Call call, int number, int item, String digest) {
    /// Tells its steps from those of others in the node.
    String key() {
      return "ragsh " + number + (item == 0 ? "" : "." + item);
    }
  }

  /// Notes what a model took that a call asked.
  ///
  /// @param key of the call
  public void spent(String key, Usage usage) {
    usages.merge(key, usage, Usage::plus);
  }

  /// The result of a call, unless it ends the cell.
  private Answer attempt(AgentContext at, Item item, Work work) throws Exception {
    var kind = item.call().kind().label();
    var name = item.call().name();
    publish(
        at, new SessionEvent.CallStarted(at.run(), cell, item.number(), item.item(), kind, name));
    long start = System.nanoTime();
    var end = end(() -> work.run(at, item.key()));
    long millis = (System.nanoTime() - start) / 1_000_000;
    var usage = usages.remove(item.key());
    var cost = new CallCost(usage == null ? Usage.NONE : usage, millis);
    publish(
        at,
        new SessionEvent.CallCompleted(
            at.run(), cell, item.number(), item.item(), kind, name, end.code(), cost));
    return new Answer(item.digest(), end.value(), end.code(), end.message(), cost);
  }

  private static void publish(AgentContext at, SessionEvent event) {
    if (at.node().hasListeners()) at.node().emit(event.type(), event);
  }

  /// A value, or an error that a script can catch.
  private record End(Json value, String code, String message) {
    End(String code, String message) {
      this(Json.ofNull(), code, message);
    }
  }

  private static End end(Callable<HostValue> work) throws Exception {
    try {
      return new End(HostJson.of(done(work)), "", "");
    } catch (HostFailure e) {
      if (e.ends()) throw e;
      return new End(e.code(), e.reason());
    } catch (StoreFailed | LeaseLost e) {
      throw e;
    } catch (BudgetExceeded e) {
      throw HostFailure.fatal("budget-limit", reason(e));
    } catch (LimitReached e) {
      return new End("agent-error", reason(e));
    } catch (ModelException e) {
      return new End("provider-error", reason(e));
    } catch (SuperstepException e) {
      return new End("failed", reason(e));
    }
  }

  /// An error of a graph inside is that of its node.
  private static HostValue done(Callable<HostValue> work) throws Exception {
    try {
      return work.call();
    } catch (NodeFailed e) {
      throw cause(e);
    }
  }

  /// The error behind a failed node. An error of the machine is none that a script may catch.
  public static SuperstepException cause(NodeFailed failed) {
    for (Throwable at = failed.getCause(); at != null; at = at.getCause()) {
      if (at instanceof Error error) throw error;
    }
    return failed.getCause() instanceof SuperstepException cause ? cause : failed;
  }

  private static String reason(Throwable error) {
    return Objects.requireNonNullElse(error.getMessage(), error.getClass().getSimpleName());
  }

  private static Answer saved(AgentContext context, Item item, Callable<Answer> work)
      throws HostFailure, InterruptedException {
    try {
      return context.node().step(item.key(), Answer.class, work);
    } catch (HostFailure | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw fatal(e);
    }
  }

  private static HostFailure fatal(Throwable error) {
    if (error instanceof HostFailure failure) return failure;
    return HostFailure.fatal("call-failed", reason(error));
  }
}
