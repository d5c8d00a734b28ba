package dev.superstep.middleware;

import dev.superstep.agent.steering.Steering;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.node.Question;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPiece;
import dev.superstep.tool.ToolResult;
import java.util.List;

/// An extension of the model calls and tool calls of an agent. All hooks are optional.
///
/// `before` hooks run in the order in which the middleware was added, `after` hooks in the opposite
/// order; of the `around` hooks, the first that was added is the outermost. What a hook throws
/// fails the agent like an exception of its own.
///
/// A middleware has no fields for the state of a run, since all runs share it. It stores such state
/// in a channel of its own ([#channels], [AgentContext#write]). Its hooks run again when their node
/// does, after a question or a crash, except what happens inside of [#aroundModel]: a reply that
/// was there is given again. Safe for many threads.
public interface Middleware {
  /// Names it in events and errors.
  default String name() {
    return getClass().getSimpleName();
  }

  /// The part of a prompt that the middleware changes. If the stable prefix changes all the same,
  /// the agent reports it.
  default Touches touches() {
    return Touches.TAIL;
  }

  /// The part of a prompt that a middleware changes.
  enum Touches {
    /// The beginning of all turns: instructions, tools.
    PREFIX,
    /// The rest of the prompt.
    TAIL,
    /// Nothing that a model sees.
    METADATA
  }

  /// Tools that it brings.
  default List<Tool> tools() {
    return List.of();
  }

  /// Channels that it brings.
  default List<Channel<?, ?>> channels() {
    return List.of();
  }

  /// Questions that it asks.
  default List<Question<?, ?>> questions() {
    return List.of();
  }

  /// The agent begins with new input.
  default void beforeAgent(AgentContext context) throws Exception {}

  /// A model is about to be asked. May change what, and may decide by [AgentContext#control] that
  /// it is not.
  default ChatRequest beforeModel(ChatRequest request, AgentContext context) throws Exception {
    return request;
  }

  /// Asks the model, once, several times, or not at all.
  default ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
      throws Exception {
    return next.call(request);
  }

  /// Returns true if [#aroundModel] asks a model again that has failed. An agent of which no
  /// middleware does has [Retrying#standard], inside of all others.
  default boolean retriesModel() {
    return false;
  }

  /// The next step of [#aroundModel].
  @FunctionalInterface
  interface ModelNext {
    /// Asks, through the middleware that is further inside.
    ChatReply call(ChatRequest request) throws Exception;
  }

  /// Returns true if [#onDelta] listens; only then are models asked to reply in pieces for it.
  default boolean receivesDeltas() {
    return false;
  }

  /// The listener of a reply while it is made; those of several middlewares are called in the order
  /// in which they were added. It cannot change the reply.
  default ChatModel.DeltaListener onDelta(AgentContext context) {
    return _ -> {};
  }

  /// The pieces of a reply as all listeners get them, those of [#onDelta] and those of the run: for
  /// a middleware that changes the names or arguments of calls in [#afterModel].
  ///
  /// @param to gets the pieces
  default ChatModel.DeltaListener translateDeltas(
      ChatModel.DeltaListener to, AgentContext context) {
    return to;
  }

  /// Returns true if the listeners of the run get a reply only when it is whole, in one piece,
  /// after all [#afterModel] and [#publish] have changed it: for text that must not be seen.
  default boolean holdsDeltas() {
    return false;
  }

  /// Changes a reply that was held back, for the listeners of the run.
  default ChatReply publish(ChatReply reply) {
    return reply;
  }

  /// A model has replied. May change the reply that is saved.
  default ChatReply afterModel(ChatReply reply, AgentContext context) throws Exception {
    return reply;
  }

  /// A tool is about to be called, or an agent as one. May change the call, but not its id.
  default ToolCall beforeTool(ToolCall call, AgentContext context) throws Exception {
    return call;
  }

  /// Runs the call, once, several times, or not at all. Calls of one turn still run side by side.
  /// An agent that is called runs once; who calls for it again gets the same result.
  default ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
      throws Exception {
    return next.call(call);
  }

  /// The next step of [#aroundTool].
  @FunctionalInterface
  interface ToolNext {
    /// Runs, through the middleware that is further inside.
    ToolResult call(ToolCall call) throws Exception;
  }

  /// A tool reports its progress.
  default void onToolDelta(ToolPiece piece, AgentContext context) {}

  /// A tool has a result. May change the result that is saved.
  default ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context)
      throws Exception {
    return result;
  }

  /// A command from outside is about to be applied: an instruction, a pause, the decision of a tool
  /// call. What may be commanded is for [dev.superstep.agent.steering.SteeringPolicy] to say.
  default void beforeSteering(SteeringCommand command, AgentContext context) throws Exception {}

  /// A command from outside was dealt with.
  default void afterSteering(SteeringCommand command, Steering.State state, AgentContext context)
      throws Exception {}

  /// The agent has its answer.
  default void afterAgent(AgentContext context) throws Exception {}

  /// The agent is about to fail. What this throws is logged and changes nothing.
  default void onError(Exception error, AgentContext context) throws Exception {}
}
