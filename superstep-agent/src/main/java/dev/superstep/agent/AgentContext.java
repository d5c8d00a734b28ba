package dev.superstep.agent;

import dev.superstep.budget.Ledger;
import dev.superstep.budget.Spend;
import dev.superstep.message.Message;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a middleware knows of the agent that it is part of, and how it changes it. For one node of
/// the agent while it runs, on the thread of its hook.
public final class AgentContext {
  private final AgentSpec spec;
  private final NodeContext node;
  private final State state;
  private final AgentRunState progress;
  private final List<Write> writes = new ArrayList<>();
  private @Nullable List<Message> rewritten;
  private @Nullable Asked asked;
  private SteeringState steered = SteeringState.NOTHING;
  private List<Message> told = List.of();
  private ModelResolver.Wish wish = ModelResolver.Wish.NONE;
  private @Nullable ChatModel model;
  private Spend spentAsking = Spend.NONE;
  private boolean recalled;
  private boolean besides;
  private Spend spentBeside = Spend.NONE;
  private boolean held;

  /// How somebody wants the agent to go on.
  record Asked(Control control, String by) {}

  AgentContext(AgentSpec spec, NodeContext node, State state, AgentRunState progress) {
    this.spec = spec;
    this.node = node;
    this.state = state;
    this.progress = progress;
  }

  /// The name of the agent.
  public String agent() {
    return spec.name();
  }

  /// The id of this run of the agent: the same until it has its answer, also after a crash.
  public String run() {
    return progress.identity().run();
  }

  /// The id of the agent that called it, if one did.
  public Optional<String> parent() {
    return Optional.of(progress.identity().parent()).filter(id -> !id.isEmpty());
  }

  /// The id of the outermost agent.
  public String root() {
    return progress.identity().root();
  }

  /// The node of the agent's graph: for steps that must happen once, questions, the store, the
  /// clock, random numbers.
  public NodeContext node() {
    return node;
  }

  /// The state of the agent's graph, as of the start of the superstep.
  public State state() {
    return state;
  }

  /// The value of a channel that a middleware brought.
  public <V> Optional<V> find(Channel<V, ?> channel) {
    return state.find(channel);
  }

  /// Writes to a channel that a middleware brought, when the superstep is over.
  public <W> void write(Channel<?, W> channel, W value) {
    update(Update.of(channel, value));
  }

  /// Writes to channels that middleware brought, when the superstep is over.
  public void update(Update update) {
    writes.addAll(update.writes());
  }

  /// The conversation, with what was changed by [#rewrite] in this hook or before.
  public List<Message> conversation() {
    var now = rewritten == null ? state.get(spec.messages()) : rewritten;
    if (told.isEmpty()) return now;
    var all = new ArrayList<>(now);
    all.addAll(told);
    return all;
  }

  /// Replaces the conversation for good: what is left out is gone from the thread's newest state.
  /// To leave something out of one prompt only, change the request.
  ///
  /// @param messages each with an id
  public void rewrite(List<Message> messages) {
    rewritten = List.copyOf(messages);
    told = List.of();
  }

  /// How often the agent has asked its model.
  public int modelCalls() {
    return progress.modelCalls();
  }

  /// How many tool calls it was asked for.
  public int toolCalls() {
    return progress.toolCalls();
  }

  /// What it has used so far, with the agents that it called.
  public Usage usage() {
    return spent().usage();
  }

  /// The same in money, and the number of calls.
  public Spend spent() {
    return state.find(AgentGraph.SPEND).orElse(Spend.NONE);
  }

  /// How the agent is to go on after this hook.
  ///
  /// @param by names who asks for it
  public void control(Control control, String by) {
    var before = asked;
    if (before == null || control.rank() > before.control().rank()) {
      asked = new Asked(control, by);
    }
  }

  /// Which model this turn is to ask. Only in [Middleware#beforeModel].
  public void wish(ModelResolver.Wish other) {
    wish = other;
  }

  /// The model that this turn asks. Only in [Middleware#aroundModel].
  public ChatModel model() {
    var asks = model;
    if (asks == null) throw new IllegalStateException("only aroundModel knows the model of a turn");
    return asks;
  }

  /// Has this turn ask another model: that is what [Middleware.ModelNext] does from now on, through
  /// all middleware further inside, within the budget, and told. Only in [Middleware#aroundModel].
  public void model(ChatModel other) {
    model = other;
  }

  /// Hands over a reply in pieces that no model gives now, such as one from a cache, to those who
  /// would hear it from a model. Only in [Middleware#aroundModel].
  public void tell(ChatReply reply) {
    new MeteredModel(model(), this, "").tell(reply);
  }

  /// A tool of the agent, if it has it.
  public Optional<Tool> tool(String name) {
    return spec.calling().caller().tools().find(name);
  }

  /// Tells those who listen to the run.
  public void emit(AgentEvent event) {
    if (node.hasListeners()) node.emit(event.name(), event);
  }

  /// A model whose replies are kept like those of the agent's own, and counted in its budget.
  ///
  /// @param name tells its calls from those of others in this node
  public ChatModel kept(ChatModel model, String name) {
    return new Counted(name, DurableModel.in(node, name, new MeteredModel(model, this, name)));
  }

  /// Counts tokens as the agent does.
  public TokenCounter counter() {
    return spec.counter();
  }

  /// What is known of the model that this turn would ask, as things stand.
  public ModelProfile profile() {
    return spec.models().resolve(wish).model().profile();
  }

  /// The books of the agent's budget and of those around it.
  public Ledger ledger() {
    return account().ledger();
  }

  RunLedger account() {
    return LedgerRegistry.of(this, spec);
  }

  /// How long the agent may still work, if that is limited; never negative.
  public Optional<Duration> timeLeft() {
    var most = spec.limits().time();
    if (most == null) return Optional.empty();
    var worked = Duration.between(progress.began(), node.clock().instant());
    var left = most.minus(worked);
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  /// Another agent that may do no more than this one, for a run of its own: what this one's gate
  /// denies it may not do.
  public <A> Agent<A> narrowed(Agent<A> other) {
    return other.within(spec.calling().gate());
  }

  /// A value that the program injected for tools.
  ///
  /// @throws dev.superstep.tool.ToolError.Missing if it injected none of this type
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
      if (!account.knows(node.task(), name)) {
        spentBeside = spentBeside.plus(account.ledger().spendOf(reply));
      }
      return reply;
    }
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

  /// Finds what attempts of this turn have taken in earlier runs of its node.
  void recallSpending() {
    if (recalled) return;
    recalled = true;
    spentAsking = account().ofTurn(node.task());
  }

  /// What all attempts of this turn have taken, those of earlier runs of its node included.
  Spend spentAsking() {
    recallSpending();
    return spentAsking;
  }

  /// Says what the turn took, as it was kept.
  void spentAsking(Spend kept) {
    recalled = true;
    spentAsking = kept;
  }

  /// What models took that were asked beside the turn.
  private Spend besideTurn() {
    if (!besides) return Spend.NONE;
    return account().besideTurn(node.task()).plus(spentBeside);
  }

  /// What this node has spent on models, as an update.
  Update spending() {
    return Update.of(AgentGraph.SPEND, spentAsking().plus(besideTurn()));
  }

  /// Whether listeners hear a reply only when it is whole.
  boolean holdsDeltas() {
    for (var one : spec.middleware()) if (one.holdsDeltas()) return true;
    return false;
  }

  /// Says that listeners have not heard the reply of this turn.
  void held() {
    held = true;
  }

  /// Hands over what was held back, as middleware wants it told.
  void tellHeld(ChatReply reply) {
    if (!held) return;
    held = false;
    var told = reply;
    for (var one : spec.middleware().reversed()) told = one.publish(told);
    new MeteredModel(model(), this, "").tellListeners(told);
  }

  AgentRunState progress() {
    return progress;
  }

  ModelResolver.Wish wish() {
    return wish;
  }

  @Nullable Asked asked() {
    return asked;
  }

  void handled() {
    asked = null;
  }

  /// What the agent was told from outside before this turn.
  ///
  /// @param messages that come first among those that are new
  void steered(SteeringState what, List<Message> messages) {
    steered = what;
    told = messages;
  }

  /// What it was told from outside so far.
  SteeringState steered() {
    return steered.equals(SteeringState.NOTHING)
        ? state.find(SteeringState.CHANNEL).orElse(SteeringState.NOTHING)
        : steered;
  }

  /// What hooks wrote, and messages that are new.
  Update with(List<? extends Message> fresh) {
    var all = new ArrayList<>(writes);
    var beside = besideTurn();
    if (!beside.equals(Spend.NONE)) all.add(new Write.Put<>(AgentGraph.SPEND, beside));
    List<Message> added = new ArrayList<>(told);
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
