package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Spend;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.SuperstepLog;
import dev.superstep.rag.error.RagError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The accounts of a run: one for each superstep of its outermost graph of text, which the graphs
/// inside share. A run that is resumed makes them anew, from the state and from the log of the
/// superstep, so that nothing is forgotten that was sent before a crash. Safe for many threads.
final class Accounts {
  private static final ContextKey<Accounts> KEY = ContextKey.of("rag-accounts", Accounts.class);
  private static final String LOG = "rag-calls";
  private static final String TASK = "task ";

  private final Map<String, Account> bySuperstep = new ConcurrentHashMap<>();
  private final Map<String, Account> byTask = new ConcurrentHashMap<>();

  static Accounts of(NodeContext context) {
    return context.shared(KEY, Accounts::new);
  }

  /// A call that is about to be made, or what it took; or a task that has begun.
  ///
  /// @param of the entry that this one settles; empty if it settles none; [#TASK] and its id for a
  ///   task
  /// @param task the task that calls, after those around it
  /// @param spend of calls of models; the most that it may be until it is settled
  record Entry(String of, String task, Spend spend, long toolCalls) {
    boolean isTask() {
      return of.startsWith(TASK);
    }

    /// Returns whether a task, or one inside it, made the entry.
    boolean isInside(String other) {
      return (" " + task + " ").contains(" " + other + " ");
    }
  }

  /// The amounts that finished supersteps took.
  record Before(Spend spend, long toolCalls, long tasks) {
    static final Before NOTHING = new Before(Spend.NONE, 0, 0);
  }

  /// Finds the account of a task, and tells the ledger of the run what was spent before if that is
  /// not known here yet.
  void begin(Before before, NodeContext context) {
    byTask.computeIfAbsent(
        context.task(),
        _ -> {
          var around = around(context);
          return around != null ? around : superstep(context, before);
        });
  }

  /// The account of a task; without what finished supersteps spent if it has not begun.
  Account account(NodeContext context) {
    var known = byTask.get(context.task());
    if (known == null) known = around(context);
    return known == null ? superstep(context, Before.NOTHING) : known;
  }

  private @Nullable Account around(NodeContext context) {
    for (var task : context.enclosingTasks().reversed()) {
      var account = byTask.get(task);
      if (account != null) return account;
    }
    return null;
  }

  private Account superstep(NodeContext context, Before before) {
    var around = context.enclosingTasks();
    var key = String.join(" ", around) + " " + context.step();
    return bySuperstep.computeIfAbsent(
        key,
        _ -> {
          var account = new Account(context.log(LOG, Entry.class), around.size(), before);
          var all = before.spend().plus(account.spent());
          context.find(Agent.LEDGER).ifPresent(ledger -> ledger.atLeast(all));
          return account;
        });
  }

  /// The calls of one superstep. Safe for many threads.
  static final class Account {
    private final SuperstepLog<Entry> log;
    private final int depth;
    private final Before before;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    /// @param depth the number of tasks around the graph whose superstep it is
    Account(SuperstepLog<Entry> log, int depth, Before before) {
      this.log = log;
      this.depth = depth;
      this.before = before;
      log.entries().forEach(this::put);
    }

    private void put(String id, Entry entry) {
      entries.put(entry.of().isEmpty() ? id : entry.of(), entry);
    }

    private synchronized String add(Entry entry) {
      var id = log.add(entry);
      put(id, entry);
      return id;
    }

    private String path(NodeContext context) {
      var tasks = context.enclosingTasks();
      var inside = tasks.subList(Math.min(depth, tasks.size()), tasks.size());
      return inside.isEmpty() ? context.task() : String.join(" ", inside) + " " + context.task();
    }

    private Spend spent() {
      return sum(_ -> true);
    }

    private synchronized Spend sum(Predicate<Entry> which) {
      var sum = Spend.NONE;
      for (var entry : entries.values()) if (which.test(entry)) sum = sum.plus(entry.spend());
      return sum;
    }

    /// Notes a call of a model before it is sent, with the most that it may take.
    ///
    /// @return what [#settled] is given
    String reserved(NodeContext context, Spend most) {
      return add(new Entry("", path(context), most, 0));
    }

    /// Notes what a call took.
    void settled(String reservation, NodeContext context, Spend took) {
      add(new Entry(reservation, path(context), took, 0));
    }

    /// The spending of a task, of all its attempts, and of what runs inside it.
    Spend spentIn(String task) {
      return sum(entry -> entry.isInside(task));
    }

    /// The calls of tools by a task, of all its attempts.
    synchronized long toolCallsBy(String task) {
      long sum = 0;
      for (var entry : entries.values()) if (entry.isInside(task)) sum += entry.toolCalls();
      return sum;
    }

    /// Notes a call of a tool before it is made.
    synchronized void toolCall(NodeContext context, List<Meter.Level> levels) {
      for (int i = 0; i < levels.size(); i++) {
        long most = levels.get(i).toolCalls();
        if (most >= 0 && toolCalls(context, i) >= most) throw refused(most);
      }
      add(new Entry("", path(context), Spend.NONE, 1));
    }

    synchronized void refuseWithoutToolCalls(NodeContext context, List<Meter.Level> levels) {
      for (int i = 0; i < levels.size(); i++) {
        long most = levels.get(i).toolCalls();
        if (most > 0 && toolCalls(context, i) >= most) throw refused(most);
      }
    }

    private static RagError refused(long most) {
      return new RagError(
          "rag.tool-call-limit",
          "the graph may make " + most + " tool calls, and this is one more");
    }

    /// Notes a task that begins, once however often it is tried.
    synchronized void task(NodeContext context, List<Meter.Level> levels) {
      var name = TASK + context.task();
      if (entries.containsKey(name)) return;
      for (int i = 0; i < levels.size(); i++) {
        long most = levels.get(i).tasks();
        if (most >= 0 && tasks(context, i) >= most) {
          throw new RagError(
              "rag.task-limit", "the graph may run " + most + " tasks, and this is one more");
        }
      }
      add(new Entry(name, path(context), Spend.NONE, 0));
    }

    private long toolCalls(NodeContext context, int level) {
      var around = around(context, level);
      long sum = around.isEmpty() ? before.toolCalls() : 0;
      for (var entry : entries.values()) {
        if (around.isEmpty() || entry.isInside(around)) sum += entry.toolCalls();
      }
      return sum;
    }

    private long tasks(NodeContext context, int level) {
      var around = around(context, level);
      long sum = around.isEmpty() ? before.tasks() : 0;
      for (var entry : entries.values()) {
        if (entry.isTask() && (around.isEmpty() || entry.isInside(around))) {
          // The task around a graph is none of its own.
          if (!entry.of().equals(TASK + around)) sum++;
        }
      }
      return sum;
    }

    /// The task in which the graph of a level runs; empty for the graph of this account.
    ///
    /// @param level 0 for the graph of the context, 1 for the one around it
    private String around(NodeContext context, int level) {
      var tasks = context.enclosingTasks();
      int at = tasks.size() - level;
      return at <= depth ? "" : tasks.get(at - 1);
    }

    /// Notes what an agent spent that has ended; until then its own thread knows.
    void ended(NodeContext context, Spend spend, long calls) {
      if (spend.equals(Spend.NONE) && calls == 0) return;
      add(new Entry("", path(context), spend, calls));
    }
  }
}
