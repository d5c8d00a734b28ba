package dev.superstep.agent.internal.loop;

import dev.superstep.agent.internal.state.AgentChannels;
import dev.superstep.agent.internal.state.AgentRunState;
import dev.superstep.agent.internal.state.AgentSpec;
import dev.superstep.agent.internal.state.RunLedger;
import dev.superstep.agent.internal.state.SteeringState;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.graph.InsideRun;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Control;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.DurableModel;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ModelResolver;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.state.Write;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A run of a node of an agent: the context that its hooks see, and the part of it that only the
/// loop uses. For the thread of the node.
final class TurnContext implements AgentContext {
  /// The answer to calls of tools that are not made any more.
  static final String CANCELLED = "The agent was cancelled.";

  private final AgentSpec spec;
  private final NodeContext node;
  private final State state;
  private final AgentRunState runState;
  private final List<Write> writes = new ArrayList<>();
  private @Nullable List<Message> rewritten;
  private @Nullable ControlRequest asked;
  private SteeringState steered = SteeringState.NOTHING;
  private List<Message> delivered = List.of();
  private ModelResolver.Wish wish = ModelResolver.Wish.NONE;
  private @Nullable ChatModel model;
  private Spend spentAsking = Spend.NONE;
  private boolean recalled;
  private boolean besides;
  private Beside beside = new Beside();
  private boolean replyHeld;

  // The task that pays for what is asked here: that of the node, also for an item inside of it.
  private final String task;

  /// The spending of a node and its items of which the log says nothing. Safe for many threads.
  private static final class Beside {
    private Spend sum = Spend.NONE;

    synchronized void add(Spend more) {
      sum = sum.plus(more);
    }

    synchronized Spend sum() {
      return sum;
    }
  }

  /// A request for control by a hook.
  record ControlRequest(Control control, String by) {}

  TurnContext(AgentSpec spec, NodeContext node, State state, AgentRunState runState) {
    this(spec, node, state, runState, node.task());
  }

  private TurnContext(
      AgentSpec spec, NodeContext node, State state, AgentRunState runState, String task) {
    this.task = task;
    this.spec = spec;
    this.node = node;
    this.state = state;
    this.runState = runState;
  }

  /// This context, or if the rest of the node has another one, a copy with that.
  TurnContext on(NodeContext other) {
    if (other.equals(node)) return this;
    var copy = new TurnContext(spec, other, state, runState, task);
    copy.writes.addAll(writes);
    copy.rewritten = rewritten;
    copy.asked = asked;
    copy.steered = steered;
    copy.delivered = delivered;
    copy.besides = besides;
    copy.beside = beside;
    return copy;
  }

  @Override
  public AgentContext in(NodeContext fork) {
    besides = true;
    if (fork.equals(node)) return this;
    var copy = new TurnContext(spec, fork, state, runState, task);
    copy.rewritten = rewritten;
    copy.steered = steered;
    copy.delivered = delivered;
    copy.model = model;
    copy.beside = beside;
    return copy;
  }

  @Override
  public ToolResult run(ToolCall call) throws Exception {
    return new ToolNode(spec).inside(call, this);
  }

  @Override
  public InsideRun.End run(InsideRun inside, String name, Budget most) throws InterruptedException {
    besides = true;
    var id = inside.task(node);
    CallerLabels.pass(spec, node, id);
    var account = LedgerRegistry.ofTask(this, spec, name, id, most);
    var earlier = account.unlogged(id);
    try {
      return inside.with(LedgerRegistry.SHARED, account.ledger()).run(node);
    } finally {
      // What calls models inside without being an agent notes nothing itself.
      var unlogged = account.unlogged(id).beyond(earlier);
      if (!unlogged.equals(Spend.NONE)) account.settled("", id, name, unlogged);
    }
  }

  /// The task that pays for what is asked here.
  String task() {
    return task;
  }

  @Override
  public String agent() {
    return spec.name();
  }

  @Override
  public String run() {
    return runState.identity().run();
  }

  @Override
  public Optional<String> parent() {
    return Optional.of(runState.identity().parent()).filter(id -> !id.isEmpty());
  }

  @Override
  public String root() {
    return runState.identity().root();
  }

  @Override
  public NodeContext node() {
    return node;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public <V> Optional<V> find(Channel<V, ?> channel) {
    return state.find(channel);
  }

  @Override
  public <W> void write(Channel<?, W> channel, W value) {
    update(Update.of(channel, value));
  }

  @Override
  public void update(Update update) {
    writes.addAll(update.writes());
  }

  @Override
  public List<Message> conversation() {
    var now = rewritten == null ? state.get(spec.messages()) : rewritten;
    if (delivered.isEmpty()) return now;
    var all = new ArrayList<>(now);
    all.addAll(delivered);
    return all;
  }

  @Override
  public void rewrite(List<Message> messages) {
    rewritten = List.copyOf(messages);
    delivered = List.of();
  }

  @Override
  public int modelCalls() {
    return runState.modelCalls();
  }

  @Override
  public int toolCalls() {
    return runState.toolCalls();
  }

  @Override
  public Usage usage() {
    return spent().usage();
  }

  @Override
  public Spend spent() {
    return state.find(AgentChannels.SPEND).orElse(Spend.NONE);
  }

  @Override
  public void control(Control control, String by) {
    var before = asked;
    if (before == null || control.rank() > before.control().rank()) {
      asked = new ControlRequest(control, by);
    }
  }

  @Override
  public void wish(ModelResolver.Wish other) {
    wish = other;
  }

  @Override
  public ChatModel model() {
    var asks = model;
    if (asks == null) throw new IllegalStateException("only aroundModel knows the model of a turn");
    return asks;
  }

  @Override
  public void model(ChatModel other) {
    model = other;
  }

  @Override
  public void publishReply(ChatReply reply) {
    new MeteredModel(model(), this, "").publish(reply);
  }

  @Override
  public Optional<Tool> tool(String name) {
    return spec.calling().caller().tools().find(name);
  }

  @Override
  public void emit(AgentEvent event) {
    if (node.hasListeners()) node.emit(event.name(), event);
  }

  @Override
  public ChatModel durable(ChatModel model, String name) {
    return new Counted(name, DurableModel.in(node, name, new MeteredModel(model, this, name)));
  }

  @Override
  public TokenCounter counter() {
    return spec.counter();
  }

  @Override
  public ModelProfile profile() {
    return spec.models().resolve(wish).model().profile();
  }

  @Override
  public Ledger ledger() {
    return account().ledger();
  }

  RunLedger account() {
    return LedgerRegistry.of(this, spec);
  }

  @Override
  public Optional<Duration> timeLeft() {
    var most = spec.limits().time();
    var end = CallLimits.of(node).deadline(node);
    if (most == null && end == null) return Optional.empty();
    var now = node.clock().instant();
    if (most != null) {
      var own = runState.began().plus(most);
      if (end == null || own.isBefore(end)) end = own;
    }
    var left = Duration.between(now, end);
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  @Override
  public ToolGate gate() {
    return spec.calling().gate();
  }

  @Override
  public <T> T injected(Class<T> type) {
    return spec.injected().get(type, spec.name());
  }

  /// Counts the replies of a model that is asked beside the agent's own.
  private final class Counted implements ChatModel {
    private final String name;
    private final ChatModel model;

    Counted(String name, ChatModel model) {
      this.name = name;
      this.model = model;
      besides = true;
    }

    @Override
    public ModelRef ref() {
      return model.ref();
    }

    @Override
    public ChatReply call(ChatRequest request) throws InterruptedException {
      var reply = model.call(request);
      var account = account();
      // A reply of which the log says nothing was kept by a run that had none.
      if (!account.knows(task, name)) beside.add(account.ledger().spendOf(reply));
      return reply;
    }
  }

  /// The inbox of the agent, if its run is steered.
  Optional<Steering.Inbox> inbox() {
    return node.find(Steering.KEY).map(this::inbox);
  }

  @Override
  public Map<String, String> labels() {
    return CallerLabels.of(spec, node);
  }

  /// Returns true if a command cancels the agent, or one around it.
  boolean isCancelled() {
    var inbox = inbox();
    return inbox.isPresent() && inbox.get().isCancelled();
  }

  /// Tells middleware that a command is about to be applied.
  void beforeSteering(SteeringCommand command) throws Exception {
    for (var one : spec.middleware()) {
      MiddlewareHooks.run(one, "beforeSteering", this, () -> one.beforeSteering(command, this));
    }
  }

  /// Tells the sender, the listeners and middleware what became of a command.
  void settle(Steering.Inbox inbox, SteeringCommand command, Steering.State state, String why)
      throws Exception {
    inbox.settle(command, state, why);
    emit(
        new AgentEvent.Steered(
            agent(),
            command.id(),
            command.steer().getClass().getSimpleName(),
            command.actor().getClass().getSimpleName(),
            state.name()));
    for (var one : spec.middleware().reversed()) {
      MiddlewareHooks.run(
          one, "afterSteering", this, () -> one.afterSteering(command, state, this));
    }
  }

  private Steering.Inbox inbox(Steering steering) {
    var status = new Steering.Status(agent(), run(), modelCalls(), toolCalls(), usage().total());
    var around = runState.identity().around().stream().map(AgentRunState.Around::run).toList();
    return steering.inbox(status, around, node.thread().orElse(""));
  }

  AgentSpec spec() {
    return spec;
  }

  /// Asks the model of this turn.
  ChatReply ask(ChatRequest request) throws InterruptedException {
    var asked = new MeteredModel(model(), this, "");
    try {
      return asked.call(request);
    } finally {
      spentAsking = spentAsking.plus(asked.spent());
    }
  }

  /// Loads the spending of this turn's attempts in earlier runs of its node.
  void recallSpending() {
    if (recalled) return;
    recalled = true;
    spentAsking = account().ofTurn(task);
  }

  /// The spending of all attempts of this turn, including earlier runs of its node.
  Spend spentAsking() {
    recallSpending();
    return spentAsking;
  }

  /// Sets the spending of the turn, as it was saved.
  void spentAsking(Spend kept) {
    recalled = true;
    spentAsking = kept;
  }

  /// The spending on models that were asked beside the turn.
  private Spend besideTurn() {
    if (!besides) return Spend.NONE;
    return account().besideTurn(task).plus(account().insideTask(task)).plus(beside.sum());
  }

  /// The spending of this node on models, as an update.
  Update spending() {
    return Update.of(AgentChannels.SPEND, spentAsking().plus(besideTurn()));
  }

  /// Returns true if listeners get a reply only when it is whole.
  boolean holdsDeltas() {
    for (var one : spec.middleware()) if (one.holdsDeltas()) return true;
    return false;
  }

  /// Records that listeners have not got the reply of this turn.
  void holdReply() {
    replyHeld = true;
  }

  /// Passes the reply that was held back to the listeners, as changed by middleware.
  void publishHeldReply(ChatReply reply) {
    if (!replyHeld) return;
    replyHeld = false;
    var told = reply;
    for (var one : spec.middleware().reversed()) told = one.publish(told);
    new MeteredModel(model(), this, "").publishToListeners(told);
  }

  AgentRunState runState() {
    return runState;
  }

  ModelResolver.Wish wish() {
    return wish;
  }

  @Nullable ControlRequest asked() {
    return asked;
  }

  void handled() {
    asked = null;
  }

  /// Sets the result of steering before this turn.
  ///
  /// @param messages that come first among those that are new
  void steered(SteeringState what, List<Message> messages) {
    steered = what;
    delivered = messages;
  }

  /// The steering state so far.
  SteeringState steered() {
    return steered.equals(SteeringState.NOTHING)
        ? state.find(SteeringState.CHANNEL).orElse(SteeringState.NOTHING)
        : steered;
  }

  /// The writes of hooks, and new messages.
  Update with(List<? extends Message> fresh) {
    var all = new ArrayList<>(writes);
    var beside = besideTurn();
    if (!beside.equals(Spend.NONE)) all.add(new Write.Put<>(AgentChannels.SPEND, beside));
    List<Message> added = new ArrayList<>(delivered);
    added.addAll(fresh);
    var messages = spec.messages();
    if (rewritten != null) {
      var whole = new ArrayList<Message>(rewritten);
      int number = 0;
      for (var message : added) {
        whole.add(message.id().isEmpty() ? message.withId(node.task() + "-" + number) : message);
        number++;
      }
      all.add(new Write.Overwrite<>(messages, List.copyOf(whole)));
    } else if (added.size() == 1) {
      all.add(new Write.Put<>(messages, added.getFirst()));
    } else if (!added.isEmpty()) {
      all.add(new Write.PutAll<>(messages, List.copyOf(added)));
    }
    return new Update(all);
  }
}
