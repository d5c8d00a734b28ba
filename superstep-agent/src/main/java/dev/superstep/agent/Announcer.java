package dev.superstep.agent;

import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.tool.ToolListener;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Tells a listener the events of one run, one at a time and never with effect on the run. Safe for
/// many threads: tools finish on their own.
final class Announcer implements ToolListener {
  private static final System.Logger LOG = System.getLogger("dev.superstep.agent");

  private final String agent;
  private final AgentListener listener;
  private final ReentrantLock speaking = new ReentrantLock();

  Announcer(String agent, AgentListener listener) {
    this.agent = agent;
    this.listener = listener;
  }

  void modelCallStarted(int call) {
    tell(new AgentEvent.ModelCallStarted(agent, call));
  }

  /// Where the text of a model call goes; null if nobody wants it in pieces.
  ChatModel.@Nullable DeltaListener texts(int call) {
    if (!listener.wantsText()) return null;
    return text -> tell(new AgentEvent.TextArrived(agent, call, text));
  }

  void modelCalled(int call, ChatReply reply) {
    tell(new AgentEvent.ModelCalled(agent, call, reply));
  }

  @Override
  public void onStarted(ToolCall call) {
    tell(new AgentEvent.ToolStarted(agent, call));
  }

  @Override
  public void onFinished(ToolCall call, ToolMessage answer, Duration took) {
    tell(new AgentEvent.ToolFinished(agent, call, answer, took));
  }

  void limitMet(StopReason reason) {
    tell(new AgentEvent.LimitMet(agent, reason));
  }

  void finished(AgentResult result) {
    tell(new AgentEvent.AgentFinished(agent, result));
  }

  private void tell(AgentEvent event) {
    speaking.lock();
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "Listener of agent " + agent + " failed.", e);
    } finally {
      speaking.unlock();
    }
  }
}
