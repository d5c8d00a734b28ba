package dev.superstep.tool;

import dev.superstep.json.Json;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Question;
import dev.superstep.state.State;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// The context of a tool call. For the thread of that call.
public final class ToolContext {
  /// The question of [#suspend]; agents declare it for all their tools.
  public static final Question<Json, Json> SUSPENDED =
      Question.of("suspended", Json.class, Json.class);

  private final Setting setting;
  private final String tool;
  private final String callId;
  private final long deadline;

  /// The values that all calls of an agent or a batch share.
  ///
  /// @param node what the call is part of, if anything
  /// @param state as of the start of its superstep
  /// @param progress gets the progress of tools
  record Setting(
      ToolDependencies injected,
      Optional<NodeContext> node,
      Optional<State> state,
      Consumer<ToolPiece> progress) {
    static Setting of(ToolDependencies injected) {
      return new Setting(injected, Optional.empty(), Optional.empty(), _ -> {});
    }
  }

  /// The surroundings of a call in a node.
  ///
  /// @param state as the tool sees it
  /// @param within the most that it may take, whatever its tool allows
  /// @param progress gets the progress of the tool, on its thread
  public record Surroundings(State state, Duration within, Consumer<ToolPiece> progress) {}

  ToolContext(String tool, String callId, Duration timeout, Setting setting) {
    this.tool = tool;
    this.callId = callId;
    this.deadline = System.nanoTime() + timeout.toNanos();
    this.setting = setting;
  }

  /// The id that the model gave the call.
  public String callId() {
    return callId;
  }

  /// The name of the tool.
  public String tool() {
    return tool;
  }

  /// The key of this call, equal for each attempt, also after a crash, and different for each other
  /// call. A service that is given it can avoid doing things twice. Without an agent it is the id
  /// of the call.
  public String idempotencyKey() {
    return setting.node().map(node -> node.task() + "/" + callId).orElse(callId);
  }

  /// The time that the call may still take; never negative. At zero its thread is interrupted.
  public Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  /// Ends the call if nobody waits for it any more. For loops that do not block.
  ///
  /// @throws InterruptedException if the call was cancelled or its time is over
  public void checkCancelled() throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException("call " + callId + " was cancelled");
  }

  /// A value that the program injected.
  ///
  /// @throws ToolError.Missing if it injected none of this type
  public <T> T get(Class<T> type) {
    return setting.injected().get(type, tool);
  }

  /// Tells those who watch how far the call is.
  public void progress(String text) {
    setting.progress().accept(new ToolPiece(callId, tool, text));
  }

  /// Tells the listeners of the run something, at once, as its node does: [NodeContext#emit]. Told
  /// to nobody if the call is not one of an agent.
  ///
  /// @param name family first, such as `stock.reserved`
  /// @param payload a value of a closed type
  public void emit(String name, Object payload) {
    setting.node().filter(NodeContext::hasListeners).ifPresent(node -> node.emit(name, payload));
  }

  /// Asks a person, and returns the answer, perhaps in another process: [NodeContext#interrupt].
  /// When it comes, the handler runs again from its start.
  ///
  /// @param question one that the tool declares: [Tool#withQuestions]
  /// @throws ToolOutsideGraph if the tool is not one of an agent
  public <P, A> A ask(Question<P, A> question, P payload) {
    return node().interrupt(question, payload);
  }

  /// Asks for something that only its caller knows, such as the end of a long job outside, and
  /// returns what comes back, perhaps in another process: like [#ask], without a question of its
  /// own.
  ///
  /// @throws ToolOutsideGraph if the tool is not one of an agent
  public Json suspend(Json value) {
    return ask(SUSPENDED, value);
  }

  /// The node that the call is part of: for steps that must happen once, the store, the clock.
  ///
  /// @throws ToolOutsideGraph if the tool is not one of an agent
  public NodeContext node() {
    return setting.node().orElseThrow(() -> new ToolOutsideGraph(tool));
  }

  /// The state of the agent, as of the start of the superstep.
  ///
  /// @throws ToolOutsideGraph if the tool is not one of an agent
  public State state() {
    return setting.state().orElseThrow(() -> new ToolOutsideGraph(tool));
  }

  @Override
  public String toString() {
    return "ToolContext[" + tool + ", call " + callId + "]";
  }
}
