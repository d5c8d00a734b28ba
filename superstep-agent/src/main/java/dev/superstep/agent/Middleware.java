package dev.superstep.agent;

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

/// Something that is done around the model calls and tool calls of an agent. All hooks are
/// optional.
///
/// `before` hooks run in the order in which the middleware was added, `after` hooks in the opposite
/// order; of the `around` hooks, the first that was added is the outermost. What a hook throws
/// fails the agent like an exception of its own.
///
/// A middleware keeps nothing of a run in itself: it is shared by all of them. What it wants to
/// remember goes into a channel of its own ([#channels], [AgentContext#write]). Its hooks run again
/// when their node does, after a question or a crash, except what happens inside of [#aroundModel]:
/// a reply that was there is given again. Safe for many threads.
public interface Middleware {
  /// Names it in events and errors.
  default String name() {
    return getClass().getSimpleName();
  }

  /// What it changes in prompts; the agent tells if the stable prefix changes all the same.
  default Touches touches() {
    return Touches.TAIL;
  }

  /// The part of a prompt that a middleware changes.
  enum Touches {
    /// What all turns begin with: instructions, tools.
    PREFIX,
    /// What comes after that.
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

  /// What [#aroundModel] goes on with.
  @FunctionalInterface
  interface ModelNext {
    /// Asks, through the middleware that is further inside.
    ChatReply call(ChatRequest request) throws Exception;
  }

  /// Whether [#onDelta] wants to hear; only then are models asked to reply in pieces for it.
  default boolean hearsDeltas() {
    return false;
  }

  /// Who hears a reply while it is made, in the order in which middleware was added. It cannot
  /// change it.
  default ChatModel.DeltaListener onDelta(AgentContext context) {
    return _ -> {};
  }

  /// Whether those who listen to the run hear a reply only when it is whole and all [#afterModel]
  /// and [#publish] have changed it, in one piece: for what must not be seen.
  default boolean holdsDeltas() {
    return false;
  }

  /// What those who listen to the run are told of a reply that was held back.
  default ChatReply publish(ChatReply reply) {
    return reply;
  }

  /// A model has replied. May change what is kept of it.
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

  /// What [#aroundTool] goes on with.
  @FunctionalInterface
  interface ToolNext {
    /// Runs, through the middleware that is further inside.
    ToolResult call(ToolCall call) throws Exception;
  }

  /// A tool tells how far it is.
  default void onToolDelta(ToolPiece piece, AgentContext context) {}

  /// A tool has a result. May change what is kept of it.
  default ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context)
      throws Exception {
    return result;
  }

  /// The agent has its answer.
  default void afterAgent(AgentContext context) throws Exception {}

  /// The agent is about to fail. What this throws is logged and changes nothing.
  default void onError(Exception error, AgentContext context) throws Exception {}
}
