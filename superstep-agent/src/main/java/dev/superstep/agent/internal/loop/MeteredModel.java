package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.RunLedger;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.event.TextPiece;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ModelUse;
import dev.superstep.model.PromptLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A model as an agent asks it: each attempt is within the budget, with events. For the thread of
/// the node.
final class MeteredModel implements ChatModel {
  private final ChatModel model;
  private final TurnContext context;
  private final String purpose;
  private Spend spent = Spend.NONE;

  /// @param purpose what it is asked for beside the agent's turns; empty for those
  MeteredModel(ChatModel model, TurnContext context, String purpose) {
    this.model = model;
    this.context = context;
    this.purpose = purpose;
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public ModelProfile profile() {
    return model.profile();
  }

  /// The spending of all attempts.
  Spend spent() {
    return spent;
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    // Middleware may have swallowed the interruption.
    if (context.node().isCancelled()) throw new InterruptedException("the run was cancelled");
    var profile = model.profile();
    var counter = context.spec().counter();
    if (!profile.equals(ModelProfile.UNKNOWN)) {
      check(profile.problems(request, counter.count(request)));
    }
    var account = context.account();
    Ledger.Reserved reserved;
    try {
      reserved = account.ledger().reserve(model.ref(), profile, request, counter);
    } catch (BudgetExceeded e) {
      context.emit(new AgentEvent.BudgetExceeded(context.agent(), e.limit()));
      throw e;
    }
    return new Attempt(account, reserved).call();
  }

  /// A call with a reservation. It is logged before it is sent, and again when its usage is known.
  /// A call without any limit is logged only afterwards, and only if the agent's thread would not
  /// have it.
  private final class Attempt {
    private final RunLedger account;
    private final Ledger.Reserved reserved;
    private final boolean isLimited;
    private String noted = "";
    private long start;

    Attempt(RunLedger account, Ledger.Reserved reserved) {
      this.account = account;
      this.reserved = reserved;
      this.isLimited = !reserved.most().equals(Spend.NONE);
    }

    ChatReply call() throws InterruptedException {
      ChatReply reply;
      try {
        if (isLimited) noted = account.reserved(context.task(), purpose, reserved.most());
        if (context.node().hasListeners()) asked(reserved);
        start = System.nanoTime();
        reply = ask(reserved.request());
      } catch (ModelException e) {
        context.emit(new AgentEvent.ModelFailed(context.agent(), turn(), ref().url(), e.code()));
        failed(e);
        throw e;
      } catch (InterruptedException | RuntimeException | Error e) {
        failed(e);
        throw e;
      }
      var settled = account.ledger().settle(reserved, reply);
      boolean isCached = reply.source() == ChatReply.Source.CACHED;
      // Whoever reads it next shall not have to doubt the numbers, either.
      var counted = isCached ? reply : reply.withUsage(settled.took().usage());
      settled(settled, Optional.of(counted));
      return counted;
    }

    private void failed(Throwable error) {
      try {
        settled(account.ledger().fail(reserved, error), Optional.empty());
      } catch (RuntimeException e) {
        error.addSuppressed(e);
      }
    }

    private void settled(Ledger.Settled settled, Optional<ChatReply> reply) {
      var took = settled.took();
      spent = spent.plus(took);
      // What a kept turn took is kept with it; all else only the log knows.
      boolean isNoted = isLimited || reply.isEmpty() || !purpose.isEmpty() || account.isInTool();
      if (isNoted) account.settled(noted, context.task(), purpose, took);
      if (!context.node().hasListeners()) return;
      publishSpending(reply, settled, Duration.ofNanos(System.nanoTime() - start));
    }
  }

  private void check(List<String> problems) {
    if (problems.isEmpty()) return;
    throw new ModelException(
        ModelException.Kind.BAD_REQUEST,
        "Model `%s` cannot be asked this: %s. Choose another model, or change the request."
            .formatted(ref(), String.join("; ", problems)));
  }

  private ChatReply ask(ChatRequest request) throws InterruptedException {
    context.node().heartbeat();
    var telling = deltaPublisher();
    return telling.hasListeners()
        ? model.stream(request, translated(telling))
        : model.call(request);
  }

  /// The turns of the agent have calls in the form of its model; what is asked beside them has not.
  private DeltaListener translated(DeltaListener to) {
    if (!purpose.isEmpty()) return to;
    var all = to;
    for (var one : context.spec().middleware()) all = one.translateDeltas(all, context);
    return all;
  }

  private DeltaPublisher deltaPublisher() {
    var hearers = new ArrayList<DeltaListener>();
    for (var one : context.spec().middleware()) {
      if (one.receivesDeltas()) hearers.add(one.onDelta(context));
    }
    boolean tells = context.node().hasListeners() && purpose.isEmpty();
    if (!tells || !context.holdsDeltas()) return new DeltaPublisher(tells, hearers);
    context.holdReply();
    return new DeltaPublisher(false, hearers);
  }

  /// Streams a reply that was not asked for now.
  void publish(ChatReply reply) {
    translated(deltaPublisher()).onReply(reply);
  }

  /// Hands over a reply to those who listen to the run.
  void publishToListeners(ChatReply reply) {
    new DeltaPublisher(true, List.of()).onReply(reply);
  }

  /// Counts the turns of the agent, from 1.
  private int turn() {
    return context.modelCalls() + 1;
  }

  private void asked(Ledger.Reserved reserved) {
    var agent = context.agent();
    var prefix = PromptLayout.prefixOf(reserved.request());
    context.emit(new AgentEvent.ModelStarted(agent, turn(), ref().url(), prefix));
    if (reserved.most().equals(Spend.NONE)) return;
    var most = reserved.most();
    context.emit(new AgentEvent.BudgetReserved(agent, most.usage().total(), most.cost()));
  }

  private void publishSpending(Optional<ChatReply> reply, Ledger.Settled settled, Duration took) {
    var agent = context.agent();
    var spend = settled.took();
    context.emit(new AgentEvent.BudgetReconciled(agent, spend.usage().total(), spend.cost()));
    var currency = context.spec().budget().currency();
    if (!currency.isEmpty() && reply.isPresent()) {
      var cost = Optional.of(spend.cost());
      context.emit(new AgentEvent.CostRecorded(agent, ref().url(), cost, currency));
    }
    for (var limit : settled.warnings()) {
      context.emit(new AgentEvent.BudgetWarning(agent, limit));
    }
    if (reply.isEmpty()) return;
    var said = reply.get();
    // The others are told by the model that keeps their replies.
    if (purpose.isEmpty()) context.node().emit(ModelUse.RECORDED, ModelUse.of(said));
    context.emit(
        new AgentEvent.ModelCompleted(
            agent,
            turn(),
            said.model().url(),
            said.finish(),
            said.source(),
            said.usage(),
            said.message().calls().size(),
            said.receipt(),
            took));
  }

  /// Hands pieces to those who listen to the run, and to middleware.
  private final class DeltaPublisher implements DeltaListener {
    private final boolean isPublished;
    private final List<DeltaListener> listeners;
    private final Set<Integer> answers = new HashSet<>();

    DeltaPublisher(boolean tells, List<DeltaListener> hearers) {
      this.isPublished = tells;
      this.listeners = hearers;
    }

    boolean hasListeners() {
      return isPublished || !listeners.isEmpty();
    }

    @Override
    public void onText(String text) {
      context.node().heartbeat();
      if (isPublished) text(text);
      for (var hearer : listeners) hearer.onText(text);
    }

    @Override
    public void onThinking(String text) {
      if (isPublished) delta(AgentEvent.ModelDelta.What.THINKING, text);
      for (var hearer : listeners) hearer.onThinking(text);
    }

    @Override
    public void onToolCall(ToolCallPiece piece) {
      if (isPublished && isAnswer(piece)) {
        if (!piece.arguments().isEmpty()) text(piece.arguments());
      } else if (isPublished) {
        delta(AgentEvent.ModelDelta.What.TOOL_CALL, piece.arguments());
      }
      for (var hearer : listeners) hearer.onToolCall(piece);
    }

    /// Vendors name the tool with the first piece of a call, some with every piece.
    private boolean isAnswer(ToolCallPiece piece) {
      if (context.spec().form().isCarrier(piece.tool())) answers.add(piece.index());
      return answers.contains(piece.index());
    }

    private void text(String text) {
      context.node().emitText(new TextPiece(context.agent(), ref().toString(), turn(), text));
    }

    private void delta(AgentEvent.ModelDelta.What what, String text) {
      context.emit(new AgentEvent.ModelDelta(context.agent(), turn(), what, text));
    }
  }
}
