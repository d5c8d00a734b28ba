package dev.superstep.tool;

import dev.superstep.error.ParallelFailed;
import dev.superstep.graph.Parallel;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.Node;
import dev.superstep.node.NodeContext;
import dev.superstep.node.Update;
import dev.superstep.state.Channel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Answers the tool calls of one model reply: checks all, runs them side by side, and gives the
/// answers in the order of the calls. One step of an agent, and usable as a graph node.
///
/// Immutable, safe for many threads; the `with` methods return changed copies.
public final class ToolBatch {
  private static final int CONCURRENCY = 8;
  private static final Duration LIMIT = Duration.ofDays(1);

  private final ToolCaller caller;
  private final int concurrency;
  private final Duration limit;

  private ToolBatch(ToolCaller caller, int concurrency, Duration limit) {
    this.caller = caller;
    this.concurrency = concurrency;
    this.limit = limit;
  }

  /// A batch that runs at most eight calls at once and tells the model of bad calls.
  public static ToolBatch of(Tools tools) {
    return of(ToolCaller.of(tools));
  }

  /// A batch that runs at most eight calls at once.
  public static ToolBatch of(ToolCaller caller) {
    return new ToolBatch(caller, CONCURRENCY, LIMIT);
  }

  /// The most calls that run at once.
  public ToolBatch withConcurrency(int calls) {
    if (calls < 1) throw new IllegalArgumentException("concurrency must be at least 1");
    return new ToolBatch(caller, calls, limit);
  }

  /// The most that any call may take, whatever its tool allows.
  public ToolBatch within(Duration time) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("time must be positive, was " + time);
    }
    return new ToolBatch(caller, concurrency, time);
  }

  /// Answers the calls.
  ///
  /// @throws ToolError if a call is bad and the policy says so
  /// @throws ToolError.Missing if a tool asks for what was not injected
  /// @throws InterruptedException if the calling thread is interrupted; all calls are then stopped
  public List<ToolMessage> run(List<ToolCall> calls) throws InterruptedException {
    return run(calls, ToolListener.NONE);
  }

  /// Answers the calls and tells a listener.
  ///
  /// @throws ToolError if a call is bad and the policy says so
  /// @throws ToolError.Missing if a tool asks for what was not injected
  /// @throws InterruptedException if the calling thread is interrupted; all calls are then stopped
  public List<ToolMessage> run(List<ToolCall> calls, ToolListener listener)
      throws InterruptedException {
    var tasks = checked(calls);
    try (var threads = threads(ToolContext.Setting.of(caller.injected()), listener)) {
      return threads.run(tasks, concurrency);
    }
  }

  /// Answers the calls inside a node. Each answer is saved with the thread as soon as it arrives:
  /// when the node runs again, after a question, a failure or a crash, only calls without an answer
  /// are run. A [dev.superstep.graph.Replay] runs none.
  ///
  /// @throws ToolError if a call is bad and the policy says so
  /// @throws ToolError.Missing if a tool asks for what was not injected
  /// @throws InterruptedException if the node is cancelled; all calls are then stopped
  public List<ToolMessage> run(List<ToolCall> calls, ToolListener listener, NodeContext context)
      throws InterruptedException {
    var tasks = checked(calls);
    var batch = Parallel.over(tasks).concurrency(concurrency).failFast();
    var setting =
        new ToolContext.Setting(caller.injected(), Optional.empty(), Optional.empty(), _ -> {});
    try (var threads = threads(setting, listener)) {
      var answers = batch.map(context, ToolMessage.class, (task, _) -> threads.answer(task));
      return answers.succeeded();
    } catch (ParallelFailed e) {
      // The policy, or an error of the program: nothing that the model could hear of.
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }

  /// A graph node that answers the open calls at the end of a conversation, each once. While it is
  /// at work, it emits what the tools do, as [ToolProgress].
  public Node on(Channel<List<Message>, Message> conversation) {
    return (state, context) -> {
      var open = Messages.openCalls(state.get(conversation));
      return Update.all(conversation, run(open, progress(context), context));
    };
  }

  private List<ToolThreads.Task> checked(List<ToolCall> calls) {
    var tasks = new ArrayList<ToolThreads.Task>(calls.size());
    for (var call : calls) tasks.add(checked(call));
    return tasks;
  }

  private static ToolListener progress(NodeContext context) {
    return new ToolListener() {
      @Override
      public void onStarted(ToolCall call) {
        context.emit(ToolProgress.STARTED, new ToolProgress("", call.id(), call.tool(), false));
      }

      @Override
      public void onFinished(ToolCall call, ToolMessage answer, Duration took) {
        context.emit(
            ToolProgress.FINISHED, new ToolProgress("", call.id(), call.tool(), answer.error()));
      }
    };
  }

  private ToolThreads.Task checked(ToolCall call) {
    return switch (caller.admit(call)) {
      case ToolCaller.Checked.Good(var good, var tool) ->
          new ToolThreads.Task.Run(good, tool.within(caller.gate()));
      case ToolCaller.Checked.Bad(var bad, _, var why) -> new ToolThreads.Task.Bad(bad, why);
    };
  }

  private ToolThreads threads(ToolContext.Setting setting, ToolListener listener) {
    return new ToolThreads(limit, caller.each(), setting, listener);
  }

  @Override
  public String toString() {
    return "ToolBatch[" + concurrency + " at once, " + limit + " each]";
  }
}
