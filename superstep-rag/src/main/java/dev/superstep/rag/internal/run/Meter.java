package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.rag.error.RagError;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Counts what the nodes of a graph spend, where the graph has limits: what finished tasks spent is
/// in the state, so that a run that is resumed knows it. Immutable.
///
/// @param isCounting whether this graph, or one around it, has limits
/// @param toolCalls the most tool calls of a run; unlimited if negative
public record Meter(boolean isCounting, long toolCalls) {
  public static final Channel<Spend, Spend> SPEND =
      Channel.reduce("rag-spend", Spend.class, Spend.NONE, Spend::plus);
  public static final Channel<Long, Long> TOOL_CALLS = Channel.sum("rag-tool-calls");

  private static final ContextKey<Counted> COUNTED = ContextKey.of("rag-counted", Counted.class);

  /// The calls that the ledger of a run has counted in this process.
  private record Counted(Set<String> calls) {}

  /// The channels of its own.
  public List<Channel<?, ?>> channels() {
    return isCounting ? List.of(SPEND, TOOL_CALLS) : List.of();
  }

  /// Tells the ledger of the run what was spent before.
  public void begin(State state, NodeContext context) {
    if (!isCounting) return;
    context.find(Agent.LEDGER).ifPresent(ledger -> ledger.atLeast(state.get(SPEND)));
  }

  /// Adds what was spent to the result of a node.
  public Update spent(Update update, Spend spend, long calls) {
    if (!isCounting) return update;
    var all = spend.equals(Spend.NONE) ? update : update.and(SPEND, spend);
    return calls == 0 ? all : all.and(TOOL_CALLS, calls);
  }

  /// Refuses one more tool call than a run may make.
  ///
  /// @param more the calls of this task so far, this one included
  public void refuse(State state, long more) {
    if (!isCounting || toolCalls < 0 || state.get(TOOL_CALLS) + more <= toolCalls) return;
    throw new RagError(
        "rag.tool-call-limit",
        "the graph may make " + toolCalls + " tool calls, and this is one more");
  }

  /// A model for a node, whose replies are saved and whose calls are counted.
  ///
  /// @param own the limits of the node itself
  public Metered model(ChatModel model, NodeContext context, Optional<Budget> own, String node) {
    var shared = context.find(Agent.LEDGER);
    var ledger =
        own.isPresent()
            ? shared
                .map(l -> l.within(node, own.get(), context.task()))
                .orElseGet(() -> Ledger.of(node, own.get()))
            : shared.orElse(null);
    return new Metered(model, context, ledger);
  }

  /// A model in a node. For the thread of the node.
  public static final class Metered {
    private final Counter counter;
    private final DurableModel durable;
    private final NodeContext context;
    private final @Nullable Ledger ledger;
    private int calls;
    private Spend spend = Spend.NONE;

    Metered(ChatModel model, NodeContext context, @Nullable Ledger ledger) {
      this.context = context;
      this.ledger = ledger;
      this.counter = new Counter(model, ledger);
      this.durable = DurableModel.in(context, counter);
    }

    /// The spending of its calls.
    public Spend spend() {
      return spend;
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
      var call = context.task() + " " + ++calls;
      var known = context.shared(COUNTED, () -> new Counted(ConcurrentHashMap.newKeySet())).calls();
      boolean isNew = known.add(call);
      if (counter.took != null) spend = spend.plus(counter.took);
      else if (ledger == null) spend = spend.plus(new Spend(1, reply.usage(), Spend.NONE.cost()));
      else {
        // The reply was saved before: it is counted once in each process.
        var took = ledger.spendOf(reply);
        spend = spend.plus(took);
        if (isNew) ledger.atLeast(ledger.spent().plus(took));
      }
      counter.took = null;
      return reply;
    }
  }

  /// Counts the calls that are made.
  private static final class Counter implements ChatModel {
    private final ChatModel model;
    private final @Nullable Ledger ledger;
    private @Nullable Spend took;

    Counter(ChatModel model, @Nullable Ledger ledger) {
      this.model = model;
      this.ledger = ledger;
    }

    private interface Asking {
      ChatReply ask(ChatRequest request) throws InterruptedException;
    }

    private ChatReply asked(ChatRequest request, Asking asking) throws InterruptedException {
      if (ledger == null) {
        return asking.ask(request);
      }
      var reserved =
          ledger.reserve(model.ref(), model.profile(), request, TokenCounter.approximate());
      try {
        var reply = asking.ask(reserved.request());
        took = ledger.settle(reserved, reply).took();
        return reply;
      } catch (InterruptedException | RuntimeException e) {
        ledger.fail(reserved, e);
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
