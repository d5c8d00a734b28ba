package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.Subgraph;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.rag.Item;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.Converge;
import dev.superstep.node.EngineResult;
import dev.superstep.node.HandOff;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.rag.error.RagError;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Counts what the nodes of a graph take, where the graph has limits: what finished tasks took is
/// in the state, so that a run that is resumed knows it. Immutable.
///
/// @param isCounting whether this graph, or one around it, has limits
/// @param levels the limits of this graph, then those of the graphs around it
/// @param depth the most agents inside each other
public record Meter(boolean isCounting, List<Level> levels, long depth) {
  public static final Channel<Spend, Spend> SPEND =
      Channel.reduce("rag-spend", Spend.class, Spend.NONE, Spend::plus);
  private static final Spend CALL = new Spend(1, Usage.NONE, BigDecimal.ZERO);

  public static final Channel<Long, Long> TOOL_CALLS = Channel.sum("rag-tool-calls");
  public static final Channel<Long, Long> TASKS = Channel.sum("rag-tasks");

  /// The meter around a graph that is inside no other.
  public static final Meter NONE = new Meter(false, List.of(), Long.MAX_VALUE);

  /// The limits of one graph on what is counted here; none if negative.
  public record Level(long toolCalls, long tasks) {}

  public Meter {
    levels = List.copyOf(levels);
  }

  /// The meter of a graph inside.
  public Meter within(Items items) {
    var all = new ArrayList<Level>();
    all.add(
        new Level(
            LimitItems.count(items, "tool_calls").orElse(-1),
            LimitItems.count(items, "tasks").orElse(-1)));
    all.addAll(levels);
    return new Meter(
        isCounting || items.has(Item.LIMITS),
        all,
        Math.min(depth, LimitItems.count(items, "depth").orElse(Long.MAX_VALUE)));
  }

  private boolean isCountingTasks() {
    return levels.stream().anyMatch(level -> level.tasks() >= 0);
  }

  /// The channels of its own.
  public List<Channel<?, ?>> channels() {
    if (!isCounting) return List.of();
    return isCountingTasks() ? List.of(SPEND, TOOL_CALLS, TASKS) : List.of(SPEND, TOOL_CALLS);
  }

  /// Tells the ledger of the run what was spent before this process, and finds the account of the
  /// superstep. A node that has a graph inside calls it before that begins.
  public void begin(State state, NodeContext context) {
    if (!isCounting) return;
    long tasks = isCountingTasks() ? state.get(TASKS) : 0;
    var before = new Accounts.Before(state.get(SPEND), state.get(TOOL_CALLS), tasks);
    Accounts.of(context).begin(before, context);
  }

  /// The work of a task.
  @FunctionalInterface
  public interface Work {
    NodeResult run() throws Exception;
  }

  /// Does the work of a task, if there may be one more.
  ///
  /// @throws RagError if a run may have no such task
  public NodeResult task(State state, NodeContext context, Work work) throws Exception {
    begin(state, context);
    if (!isCountingTasks()) return work.run();
    account(context).task(context, levels);
    return counted(work.run());
  }

  /// Does the work of a task that handles the failure of another, which has counted nowhere yet.
  public NodeResult handler(State state, NodeContext context, Work work) throws Exception {
    return task(state, context, () -> isCountingTasks() ? counted(work.run()) : work.run());
  }

  /// The writes of a failed task that no other handles; empty if tasks are not counted.
  public Optional<Update> handled() {
    return isCountingTasks() ? Optional.of(Update.of(TASKS, 1L)) : Optional.empty();
  }

  private static NodeResult counted(NodeResult result) {
    var one = Update.of(TASKS, 1L);
    return switch (result) {
      case Update update -> update.and(one);
      case NoUpdate _ -> one;
      case Command command -> command.with(one);
      case EngineResult ended -> ended.and(one);
      // It asks and will run again, or it says what nothing can be added to.
      case Ask<?, ?> _, Converge _, HandOff _ -> result;
    };
  }

  /// Adds what a graph inside with channels of its own took.
  public Update inside(State end) {
    var spent = spent(new Update(List.of()), end.get(SPEND), end.get(TOOL_CALLS));
    return isCountingTasks() ? spent.and(TASKS, end.get(TASKS)) : spent;
  }

  /// Limits what a graph inside may spend, within what the run may.
  ///
  /// @param name of the graph, for errors
  public <S> Subgraph.Invocation<S> nested(
      Subgraph.Invocation<S> within, NodeContext context, String name, Optional<Budget> budget) {
    if (budget.isEmpty()) return within;
    var ledger = ledger(context, name, budget.get());
    if (isCounting) ledger.atLeastOfKnown(account(context).spentIn(context.task()));
    return within.with(Agent.LEDGER, ledger);
  }

  /// A ledger for what a task spends, within that of the run.
  private static Ledger ledger(NodeContext context, String name, Budget budget) {
    return context
        .find(Agent.LEDGER)
        .map(outer -> outer.within(name, budget, context.task()))
        .orElseGet(() -> Ledger.of(name, budget));
  }

  /// Adds what was spent to the result of a node.
  public Update spent(Update update, Spend spend, long calls) {
    if (!isCounting) return update;
    var all = spend.equals(Spend.NONE) ? update : update.and(SPEND, spend);
    return calls == 0 ? all : all.and(TOOL_CALLS, calls);
  }

  /// Notes a call of a tool before it is made: if the process dies, it counts.
  ///
  /// @throws RagError if a run may make no such call
  public void toolCall(NodeContext context) {
    if (isCounting) account(context).toolCall(context, levels);
  }

  /// Refuses a node that may call tools when none is left.
  ///
  /// @throws RagError if a run may make no more calls
  public void refuseWithoutToolCalls(NodeContext context) {
    if (isCounting) account(context).refuseWithoutToolCalls(context, levels);
  }

  /// The calls of tools that a task made, those included that a crash took the results of.
  public long toolCallsOf(NodeContext context) {
    return isCounting ? account(context).toolCallsBy(context.task()) : 0;
  }

  /// Notes what an agent spent that has ended with this result.
  public void ended(NodeResult result, NodeContext context) {
    if (!isCounting) return;
    var update =
        switch (result) {
          case Update own -> own;
          case Command command -> command.update();
          default -> new Update(List.of());
        };
    var spend = Spend.NONE;
    long calls = 0;
    for (var write : update.writes()) {
      if (!(write instanceof Write.Put<?> put)) continue;
      if (put.value() instanceof Spend own && is(put, SPEND)) spend = spend.plus(own);
      if (put.value() instanceof Long own && is(put, TOOL_CALLS)) calls += own;
    }
    account(context).ended(context, spend, calls);
  }

  private static boolean is(Write.Put<?> put, Channel<?, ?> channel) {
    return put.channel().equals(channel);
  }

  private static Accounts.Account account(NodeContext context) {
    return Accounts.of(context).account(context);
  }

  /// A model for a node, whose replies are saved and whose calls are counted.
  ///
  /// @param own the limits of the node itself
  public Metered model(ChatModel model, NodeContext context, Optional<Budget> own, String node) {
    var shared = context.find(Agent.LEDGER);
    if (own.isEmpty()) return new Metered(model, context, shared.orElse(null));
    var ledger = ledger(context, node, own.get());
    // The ledger of the run knows of that already.
    ledger.atLeastOfKnown(account(context).spentIn(context.task()));
    return new Metered(model, context, ledger);
  }

  /// A model in a node. For the thread of the node.
  public static final class Metered {
    private final ChatModel durable;
    private final ChatModel counter;
    private final NodeContext context;
    private final @Nullable Ledger ledger;
    private Spend unlimited = Spend.NONE;

    Metered(ChatModel model, NodeContext context, @Nullable Ledger ledger) {
      this(context, ledger, new Counter(model, ledger, context), true);
    }

    private Metered(
        NodeContext context, @Nullable Ledger ledger, ChatModel counter, boolean isSaved) {
      this.context = context;
      this.ledger = ledger;
      this.counter = counter;
      this.durable = isSaved ? DurableModel.in(context, counter) : counter;
    }

    /// Returns a copy whose replies are not saved: a node that runs again asks again.
    public Metered unsaved() {
      return new Metered(context, ledger, counter, false);
    }

    /// The spending of its calls, those included that failed or that a crash took the replies of.
    public Spend spend() {
      return ledger == null ? unlimited : account(context).spentIn(context.task());
    }

    public ChatModel model() {
      return new ChatModel() {
        @Override
        public ModelRef ref() {
          return durable.ref();
        }

        @Override
        public ChatReply call(ChatRequest request) throws InterruptedException {
          return counted(durable.call(request));
        }

        @Override
        public ChatReply stream(ChatRequest request, DeltaListener listener)
            throws InterruptedException {
          return counted(durable.stream(request, listener));
        }
      };
    }

    private ChatReply counted(ChatReply reply) {
      unlimited = unlimited.plus(new Spend(1, reply.usage(), Spend.NONE.cost()));
      return reply;
    }
  }

  /// Counts the calls that are made: each is noted before it is sent, and again when it is known
  /// what it took.
  private static final class Counter implements ChatModel {
    private final ChatModel model;
    private final @Nullable Ledger ledger;
    private final NodeContext context;

    Counter(ChatModel model, @Nullable Ledger ledger, NodeContext context) {
      this.model = model;
      this.ledger = ledger;
      this.context = context;
    }

    private interface Asking {
      ChatReply ask(ChatRequest request) throws InterruptedException;
    }

    private ChatReply asked(ChatRequest request, Asking asking) throws InterruptedException {
      if (ledger == null) return asking.ask(request);
      var reserved =
          ledger.reserve(model.ref(), model.profile(), request, TokenCounter.approximate());
      var account = account(context);
      var most = reserved.most().equals(Spend.NONE) ? CALL : reserved.most();
      var noted = account.reserved(context, most);
      try {
        var reply = asking.ask(reserved.request());
        account.settled(noted, context, ledger.settle(reserved, reply).took());
        return reply;
      } catch (InterruptedException | RuntimeException e) {
        account.settled(noted, context, ledger.fail(reserved, e).took());
        throw e;
      }
    }

    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ModelProfile profile() {
      return model.profile();
    }

    @Override
    public Optional<ModelIdentity> identity() {
      return model.identity();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      return asked(request, model::call);
    }

    @Override
    public ChatReply stream(ChatRequest request, DeltaListener listener)
        throws InterruptedException {
      return asked(request, r -> model.stream(r, listener));
    }
  }
}
