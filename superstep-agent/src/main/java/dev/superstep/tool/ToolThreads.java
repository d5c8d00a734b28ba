package dev.superstep.tool;

import dev.superstep.call.CallContext;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.node.NodeContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Runs the calls of one batch on virtual threads, two for each: one waits, with the timeout, for
/// the other, which runs the handler. Inside a node, the graph gives the first. The only class of
/// this module that starts threads.
final class ToolThreads implements AutoCloseable {
  /// The time that stopped handlers get to clean up before they are abandoned.
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final int MESSAGE_MAX = 2_000;

  /// A call after its check.
  sealed interface Task {
    ToolCall call();

    record Run(ToolCall call, Tool tool) implements Task {}

    record Bad(ToolCall call, String why) implements Task {}
  }

  private static final ThreadFactory NAMED =
      Thread.ofVirtual().name("superstep-tool-", 0).factory();

  private final List<Thread> started = new ArrayList<>();
  private boolean closed;
  private final Duration limit;
  private final Duration each;
  private final ToolContext.Setting setting;
  private final ToolListener listener;

  /// @param limit the most that any call may take
  /// @param each the most that a call may take whose tool does not say
  ToolThreads(Duration limit, Duration each, ToolContext.Setting setting, ToolListener listener) {
    this.limit = limit;
    this.each = each;
    this.setting = setting;
    this.listener = listener;
  }

  /// The answers, in the order of the tasks. Called once.
  List<ToolMessage> run(List<Task> tasks, int concurrency) throws InterruptedException {
    var permits = new Semaphore(concurrency, true);
    var done = new ExecutorCompletionService<ToolMessage>(this::start);
    var answers = new ArrayList<Future<ToolMessage>>(tasks.size());
    for (var task : tasks) answers.add(done.submit(() -> permitted(task, permits)));
    // In the order of completion, so that the first failure stops the others at once.
    for (int left = tasks.size(); left > 0; left--) value(done.take());
    var messages = new ArrayList<ToolMessage>(tasks.size());
    for (var answer : answers) messages.add(value(answer));
    return List.copyOf(messages);
  }

  private static ToolMessage value(Future<ToolMessage> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    }
  }

  private ToolMessage permitted(Task task, Semaphore permits) throws InterruptedException {
    permits.acquire();
    try {
      return answer(task);
    } finally {
      permits.release();
    }
  }

  /// The answer to one task. For any thread, also several at once.
  ToolMessage answer(Task task) throws InterruptedException {
    var start = System.nanoTime();
    var call = task.call();
    var message = message(call, result(task));
    listener.onFinished(call, message, Duration.ofNanos(System.nanoTime() - start));
    return message;
  }

  /// The result of one task. For any thread, also several at once.
  ToolResult result(Task task) throws InterruptedException {
    return switch (task) {
      case Task.Bad(_, var why) -> ToolResult.error(why);
      case Task.Run run -> started(run);
    };
  }

  /// The answer to a call.
  static ToolMessage message(ToolCall call, ToolResult result) {
    return new ToolMessage(
        "", call.id(), call.tool(), result.content(), result.error(), result.artifact());
  }

  private ToolResult started(Task.Run run) throws InterruptedException {
    listener.onStarted(run.call());
    return timed(run);
  }

  static Duration least(@Nullable Duration own, Duration limit) {
    return own != null && own.compareTo(limit) < 0 ? own : limit;
  }

  private ToolResult timed(Task.Run run) throws InterruptedException {
    var tool = run.tool();
    var time = least(tool.timeout(each), limit);
    var context = new ToolContext(tool.name(), run.call().id(), time, setting);
    var result = new FutureTask<>(() -> tool.run(run.call().arguments(), context));
    start(result);
    try {
      return result.get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      return late(time);
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } finally {
      result.cancel(true);
    }
  }

  // Not by an executor, which costs more than the two threads that most batches need.
  private synchronized void start(Runnable work) {
    if (closed) throw new RejectedExecutionException("the batch has ended");
    var thread = NAMED.newThread(carried(work));
    started.add(thread);
    thread.start();
  }

  private Runnable carried(Runnable work) {
    var node = setting.node().orElse(null);
    return node instanceof CallContext own ? own.carried(work) : work;
  }

  private synchronized List<Thread> stopped() {
    closed = true;
    for (var thread : started) thread.interrupt();
    return List.copyOf(started);
  }

  /// Runs a call on a thread of its own, which is interrupted when the time is over. The thread of
  /// a node is not: to interrupt that of a run is to cancel the run.
  ///
  /// @throws InterruptedException if the node is cancelled; the call is then stopped
  static ToolResult apart(Duration most, NodeContext node, Callable<ToolResult> call)
      throws InterruptedException {
    var work = new FutureTask<>(call);
    var thread = NAMED.newThread(node instanceof CallContext own ? own.carried(work) : work);
    thread.start();
    try {
      return work.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException _) {
      thread.interrupt();
      // What it still saves shall not come after the end of its node.
      var _ = thread.join(GRACE);
      return late(most);
    } catch (InterruptedException e) {
      thread.interrupt();
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException stopped) throw stopped;
      throw unwrapped(e.getCause());
    }
  }

  /// The model's answer for a call that took too long.
  static ToolResult late(Duration time) {
    return ToolResult.error("The tool did not finish within " + text(time) + ".");
  }

  /// The model's answer for an exception. An exception that it cannot repair fails the batch.
  static ToolResult failed(@Nullable Throwable cause) {
    var isOurs = cause instanceof ToolError.Missing || cause instanceof ToolOutsideGraph;
    if (isOurs || !(cause instanceof Exception)) throw unwrapped(cause);
    if (cause instanceof ToolError) return ToolResult.error(String.valueOf(cause.getMessage()));
    var why = cause.getMessage() == null ? "" : ": " + cause.getMessage();
    var text = "The tool failed with " + cause.getClass().getSimpleName() + why;
    return ToolResult.error(text.length() > MESSAGE_MAX ? text.substring(0, MESSAGE_MAX) : text);
  }

  private static RuntimeException unwrapped(@Nullable Throwable error) {
    return switch (error) {
      case RuntimeException cause -> cause;
      case java.lang.Error cause -> throw cause;
      case null, default -> new IllegalStateException("a tool call ended unexpectedly", error);
    };
  }

  private static String text(Duration limit) {
    return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
  }

  /// Stops what still runs. Not by closing the threads, which waits without end: for siblings after
  /// a failure, and for handlers that ignore interrupts.
  @Override
  public void close() {
    long latest = System.nanoTime() + GRACE.toNanos();
    try {
      for (var thread : stopped()) {
        var left = Duration.ofNanos(latest - System.nanoTime());
        if (!left.isPositive() || !thread.join(left)) return;
      }
    } catch (InterruptedException _) {
      // Whoever stops the batch does not wait for its handlers.
      Thread.currentThread().interrupt();
    }
  }
}
