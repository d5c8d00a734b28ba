package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Spend;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.SuperstepLog;
import dev.superstep.rag.error.RagError;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The accounts of a run: one for each superstep of its outermost graph of text, which the graphs
/// inside share. A run that is resumed makes them anew, from the state and from the log of the
/// superstep, so that nothing is forgotten that was sent before a crash. Safe for many threads.
final class Accounts {
  private static final ContextKey<Accounts> KEY = ContextKey.of("rag-accounts", Accounts.class);
  private static final String LOG = "rag-calls";

  private final Map<String, Account> bySuperstep = new ConcurrentHashMap<>();
  private final Map<String, Account> byTask = new ConcurrentHashMap<>();

  static Accounts of(NodeContext context) {
    return context.shared(KEY, Accounts::new);
  }

  /// A call that is about to be made, or what it took.
  ///
  /// @param of the entry that this one settles; empty if it settles none
  /// @param task the task that calls
  /// @param spend of calls of models; the most that it may be until it is settled
  record Entry(String of, String task, Spend spend, long toolCalls) {}

  /// Finds the account of a task, and tells the ledger of the run what was spent before if that is
  /// not known here yet.
  void begin(State state, NodeContext context) {
    byTask.computeIfAbsent(
        context.task(),
        _ -> {
          var around = around(context);
          return around != null
              ? around
              : superstep(context, state.get(Meter.SPEND), state.get(Meter.TOOL_CALLS));
        });
  }

  /// The account of a task; without what finished supersteps spent if it has not begun.
  Account account(NodeContext context) {
    var known = byTask.get(context.task());
    if (known == null) known = around(context);
    return known == null ? superstep(context, Spend.NONE, 0) : known;
  }

  private @org.jspecify.annotations.Nullable Account around(NodeContext context) {
    for (var task : context.enclosingTasks().reversed()) {
      var account = byTask.get(task);
      if (account != null) return account;
    }
    return null;
  }

  private Account superstep(NodeContext context, Spend before, long toolCalls) {
    var key = String.join(" ", context.enclosingTasks()) + " " + context.step();
    return bySuperstep.computeIfAbsent(
        key,
        _ -> {
          var account = new Account(context.log(LOG, Entry.class), toolCalls);
          var all = before.plus(account.spent());
          context.find(Agent.LEDGER).ifPresent(ledger -> ledger.atLeast(all));
          return account;
        });
  }

  /// The calls of one superstep. Safe for many threads.
  static final class Account {
    private final SuperstepLog<Entry> log;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long toolCalls;

    /// @param toolCalls those of finished supersteps
    Account(SuperstepLog<Entry> log, long toolCalls) {
      this.log = log;
      this.toolCalls = toolCalls;
      log.entries().forEach(this::put);
    }

    private void put(String id, Entry entry) {
      entries.put(entry.of().isEmpty() ? id : entry.of(), entry);
      toolCalls += entry.toolCalls();
    }

    private synchronized String add(Entry entry) {
      var id = log.add(entry);
      put(id, entry);
      return id;
    }

    private synchronized Spend spent() {
      var sum = Spend.NONE;
      for (var entry : entries.values()) sum = sum.plus(entry.spend());
      return sum;
    }

    /// Notes a call of a model before it is sent, with the most that it may take.
    ///
    /// @return what [#settled] is given
    String reserved(String task, Spend most) {
      return add(new Entry("", task, most, 0));
    }

    /// Notes what a call took.
    void settled(String reservation, String task, Spend took) {
      add(new Entry(reservation, task, took, 0));
    }

    /// The spending of a task, of all its attempts.
    synchronized Spend spentBy(String task) {
      var sum = Spend.NONE;
      for (var entry : entries.values()) {
        if (entry.task().equals(task)) sum = sum.plus(entry.spend());
      }
      return sum;
    }

    /// The calls of tools by a task, of all its attempts.
    synchronized long toolCallsBy(String task) {
      long sum = 0;
      for (var entry : entries.values()) if (entry.task().equals(task)) sum += entry.toolCalls();
      return sum;
    }

    /// Notes a call of a tool before it is made.
    ///
    /// @param most unlimited if negative
    synchronized void toolCall(String task, long most) {
      if (most >= 0 && toolCalls >= most) throw refused(most);
      add(new Entry("", task, Spend.NONE, 1));
    }

    synchronized void refuseWithoutToolCalls(long most) {
      if (most >= 0 && toolCalls >= most && most > 0) throw refused(most);
    }

    private static RagError refused(long most) {
      return new RagError(
          "rag.tool-call-limit",
          "the graph may make " + most + " tool calls, and this is one more");
    }

    /// Notes what an agent spent that has ended; until then its own thread knows.
    void ended(String task, Spend spend, long calls) {
      if (!spend.equals(Spend.NONE) || calls > 0) add(new Entry("", task, spend, calls));
    }
  }
}
