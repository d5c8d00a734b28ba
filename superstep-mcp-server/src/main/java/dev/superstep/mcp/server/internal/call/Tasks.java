package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.run.Answers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Calls in the background, whose results clients ask for later: also after a new connection, and
/// after a restart of the server. Safe for many threads.
public final class Tasks {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int TAKEN_OVER_MAX = 1_000;

  private final Calls calls;
  private final McpHostLimits limits;
  private final Function<String, Optional<ServedTool>> tools;
  private final Semaphore free;
  private final Set<String> asking = ConcurrentHashMap.newKeySet();

  public Tasks(Calls calls, McpHostLimits limits, Function<String, Optional<ServedTool>> tools) {
    this.calls = calls;
    this.limits = limits;
    this.tools = tools;
    this.free = new Semaphore(limits.tasks());
  }

  /// Begins a call in the background.
  ///
  /// @param wish how long it should be kept, if the client says so
  public CallRecord begin(ServedTool tool, Json arguments, ClientCall by, Optional<Duration> wish)
      throws RpcFailure {
    if (!free.tryAcquire()) throw busy();
    try {
      var keep = wish.filter(time -> time.compareTo(limits.task()) < 0).orElse(limits.task());
      var record = calls.begin(tool, arguments, by, true, keep);
      start(record, tool, by, true);
      return record;
    } catch (RuntimeException | RpcFailure e) {
      free.release();
      throw e;
    }
  }

  private RpcFailure busy() {
    return new RpcFailure(
        Rpc.BUSY, "The server works at " + limits.tasks() + " tasks; wait for some to end.");
  }

  /// Works at it on a thread of its own, with a permit that is held already.
  private void start(CallRecord record, ServedTool tool, ClientCall by, boolean mayBegin) {
    Thread.ofVirtual()
        .name("superstep-mcp-task-" + record.id())
        .start(() -> {
          try {
            work(record, tool, by, mayBegin);
          } finally {
            free.release();
          }
        });
  }

  private void work(CallRecord record, ServedTool tool, ClientCall by, boolean mayBegin) {
    try {
      var end = calls.work(record, tool, by, mayBegin);
      if (end instanceof Calls.End.Result) {
        calls.store().find(record.id()).ifPresent(now -> Calls.tell(now, by));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the server stops; another process goes on
    } catch (RuntimeException e) {
      LOG.error("Task {} failed", record.id(), e);
    }
  }

  /// Goes on with the tasks that a process left behind. Those at which another one works stay with
  /// it.
  public void takeOver() {
    calls.expire();
    for (var record : calls.store().unfinished(TAKEN_OVER_MAX)) {
      if (record.isTask() && record.status().equals(CallRecord.WORKING)) takeOver(record);
    }
  }

  private void takeOver(CallRecord record) {
    if (calls.isAtWork(record.id())) return;
    var tool = tools.apply(record.tool());
    if (tool.isEmpty()) return;
    boolean hasBegun = calls.hasBegun(record, tool.get());
    if (!free.tryAcquire()) return;
    boolean isTaken = false;
    try {
      isTaken = hasBegun || calls.claim(record);
    } finally {
      if (!isTaken) free.release();
    }
    if (!isTaken) return;
    var nobody =
        new ClientCall(null, record.principal(), Outlet.NOBODY, null, limits.notifications());
    start(record, tool.get(), nobody, !hasBegun);
  }

  // --- The methods ---

  private CallRecord find(String id, String principal) throws RpcFailure {
    return calls
        .store()
        .find(id, principal)
        .filter(CallRecord::isTask)
        .orElseThrow(() -> RpcFailure.params("There is no task of this id."));
  }

  public ObjectNode get(String id, String principal) throws RpcFailure {
    var record = find(id, principal);
    if (record.status().equals(CallRecord.WORKING)) takeOver(record);
    return record.task();
  }

  public ObjectNode cancel(String id, String principal) throws RpcFailure {
    var record = find(id, principal);
    if (record.hasEnded()) {
      throw RpcFailure.params("The task has ended already; it is " + record.status() + ".");
    }
    return calls.cancel(record).orElse(record).task();
  }

  public List<CallRecord> list(String principal, int offset) {
    calls.expire();
    return calls.store().tasks(principal, offset, limits.page() + 1);
  }

  /// Waits for the result. While the task waits for answers, the client is asked.
  public ObjectNode result(String id, ClientCall by) throws RpcFailure, InterruptedException {
    try (var watch = calls.store().watch(id)) {
      while (true) {
        var record = find(id, by.principal());
        if (record.hasEnded()) return ended(record);
        if (record.status().equals(CallRecord.WAITING) && asking.add(id)) {
          try {
            ask(record, by);
          } finally {
            asking.remove(id);
          }
        } else {
          if (record.status().equals(CallRecord.WORKING)) takeOver(record);
          watch.await(LOOK);
        }
      }
    }
  }

  private static ObjectNode ended(CallRecord record) throws RpcFailure {
    if (record.result().isEmpty()) {
      throw new RpcFailure(Rpc.BUSY, "The task was cancelled, so it has no result.");
    }
    var result = (ObjectNode) Wire.tree(record.result().get());
    result.set("_meta", CallRecord.related(record.id()));
    return result;
  }

  private void ask(CallRecord record, ClientCall by) throws RpcFailure, InterruptedException {
    var tool = tools.apply(record.tool());
    if (tool.isEmpty()) throw RpcFailure.params("The tool of this task is not served any more.");
    var questions = calls.questions(record, tool.get());
    var session = by.session();
    var answers =
        session.isEmpty()
            ? Optional.<Answers>empty()
            : session.get().elicit(questions, tool.get(), by.outlet(), Optional.of(record.id()));
    if (answers.isEmpty()) {
      throw new RpcFailure(
          Rpc.BUSY,
          "The task waits for an answer that the client did not give: " + record.message());
    }
    var _ = answer(record, tool.get(), by, answers.get());
  }

  /// A task of a principal, gone on with if its process has left it.
  public CallRecord look(String id, String principal) throws RpcFailure {
    var record = find(id, principal);
    if (record.status().equals(CallRecord.WORKING)) takeOver(record);
    return record;
  }

  /// The questions of a task whose answers it does not have yet.
  public List<QuestionForm> unanswered(CallRecord record, List<QuestionForm> questions) {
    var given = record.given().map(Wire::tree).orElseGet(Wire::object);
    return questions.stream().filter(form -> !given.has(form.asked().id())).toList();
  }

  /// Gives some answers to a task that waits. It goes on once it has all of them.
  public void give(CallRecord record, ServedTool tool, ClientCall by, Answers answers)
      throws RpcFailure {
    if (answers.all().isEmpty()) return;
    var now = calls.store().change(record.id(), one -> one.and(answers));
    if (now.isEmpty() || !now.get().status().equals(CallRecord.WAITING)) return;
    var open = calls.questions(now.get(), tool);
    if (!unanswered(now.get(), open).isEmpty()) return;
    var _ = answer(now.get(), tool, by, Answers.none());
  }

  /// Gives answers to a call that waits, and goes on with it as a task.
  ///
  /// @return the task, if it has not ended
  public Optional<CallRecord> answer(
      CallRecord record, ServedTool tool, ClientCall by, Answers answers) throws RpcFailure {
    if (!free.tryAcquire()) throw busy();
    var now =
        calls
            .store()
            .change(record.id(), one -> one.asTask().and(answers).in(CallRecord.WORKING, ""));
    if (now.isEmpty() || now.get().hasEnded()) {
      free.release();
      return Optional.empty();
    }
    start(now.get(), tool, by, false);
    return now;
  }
}
