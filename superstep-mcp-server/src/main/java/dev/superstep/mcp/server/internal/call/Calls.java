package dev.superstep.mcp.server.internal.call;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.MissingCapability;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.program.UnusableInput;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Does the calls of tools: each that may take long or ask is a thread of the checkpointer, and a
/// record beside it. Safe for many threads.
public final class Calls {
  private static final Logger LOG = LoggerFactory.getLogger("dev.superstep.mcp.server");

  private static final String FAILURE = "The call failed. The log of the server tells why.";

  private static final Duration EXPIRED_EVERY = Duration.ofMinutes(1);
  private static final int EXPIRED_MAX = 100;

  /// The time in which a process has saved something of a call that it begins.
  private static final Duration BEGINNING = Duration.ofMinutes(1);

  private final Setting setting;
  private final CallStore store;
  private final Map<String, Driver> drivers = new ConcurrentHashMap<>();
  private final AtomicLong expiredAt = new AtomicLong(System.nanoTime());
  private volatile boolean isClosing;

  /// The parts of a server that calls need.
  ///
  /// @param keepsThreads whether the thread of a call stays when it has ended
  public record Setting(
      Checkpointer checkpointer, CallStore store, McpHostLimits limits, boolean keepsThreads) {}

  /// The thread that works at a call in this process.
  private static final class Driver {
    private final Thread thread = Thread.currentThread();
    private volatile boolean isCancelled;
    private volatile boolean isResumed;
  }

  /// The end of a call, or of what could be done of it.
  public sealed interface End {
    /// It has a result.
    record Result(ObjectNode json) implements End {}

    /// It waits for answers.
    record Waiting(CallRecord call, List<QuestionForm> questions) implements End {}

    /// It was cancelled, or somebody else works at it.
    record None() implements End {}
  }

  public Calls(Setting setting) {
    this.setting = setting;
    this.store = setting.store();
  }

  /// Begins a call and does it, as far as that is possible without answers.
  public End call(ServedTool tool, Json arguments, ClientCall by)
      throws RpcFailure, InterruptedException {
    if (!tool.isStored()) return new End.Result(direct(tool, arguments, by));
    return work(begin(tool, arguments, by, false, setting.limits().task()), tool, by, true);
  }

  /// Stores a new call.
  ///
  /// @throws RpcFailure if the principal has as many as it may
  CallRecord begin(ServedTool tool, Json arguments, ClientCall by, boolean isTask, Duration keep)
      throws RpcFailure {
    expireNowAndThen();
    var begun = store.begin(by.principal(), tool, arguments, isTask, keep);
    if (begun.isEmpty()) {
      expire();
      begun = store.begin(by.principal(), tool, arguments, isTask, keep);
    }
    return begun.orElseThrow(() -> tooMany(isTask));
  }

  private RpcFailure tooMany(boolean isTask) {
    var limits = setting.limits().principal();
    var text =
        isTask
            ? "You have %,d stored tasks, which is the most. Wait until some have expired."
                .formatted(limits.tasks())
            : "You have %,d open calls, which is the most. Answer some, or wait until they expire."
                .formatted(limits.openCalls());
    return new RpcFailure(Rpc.BUSY, text);
  }

  private void expireNowAndThen() {
    long now = System.nanoTime();
    long last = expiredAt.get();
    if (now - last > EXPIRED_EVERY.toNanos() && expiredAt.compareAndSet(last, now)) expire();
  }

  private ObjectNode direct(ServedTool tool, Json arguments, ClientCall by)
      throws InterruptedException {
    var options = RunOptions.defaults().with(ClientCall.KEY, by).deadline(setting.limits().call());
    try {
      return switch (tool.graph().invoke(tool.call().input(arguments), options)) {
        case Outcome.Completed(var state) ->
            fitting(ContentJson.result(tool.call().result(state), tool.output()));
        case Outcome.Interrupted _ ->
            ContentJson.error("The call waits, and nothing of it is saved.");
        case Outcome.Stopped(var reason, _) -> ContentJson.error(stopped(reason));
      };
    } catch (RuntimeException e) {
      return failed(tool.name(), "", e);
    }
  }

  /// Works at a stored call until it has ended or waits, with the answers that it was given.
  ///
  /// @param mayBegin whether it is begun if nothing of it is saved
  End work(CallRecord record, ServedTool tool, ClientCall by, boolean mayBegin)
      throws InterruptedException {
    var driver = new Driver();
    if (drivers.putIfAbsent(record.id(), driver) != null) return new End.None();
    try {
      var outcome = outcome(record, tool, by, mayBegin);
      if (outcome.isEmpty()) return new End.None();
      return switch (outcome.get()) {
        case Outcome.Completed(var state) ->
            ended(record, fitting(ContentJson.result(tool.call().result(state), tool.output())));
        case Outcome.Interrupted(var questions) -> {
          var forms = QuestionForm.all(questions, tool);
          var now = change(record, CallRecord.WAITING, forms.getFirst().message(), by);
          yield new End.Waiting(now.orElse(record), forms);
        }
        case Outcome.Stopped(var reason, _) -> stopped(record, driver, reason, by);
      };
    } catch (ThreadBusy _) {
      return new End.None();
    } catch (ThreadError e) {
      // Another process began it meanwhile, and it waits.
      if (e.reason() == ThreadError.Reason.UNFINISHED) return new End.None();
      return ended(record, failed(tool.name(), record.id(), e), FAILURE);
    } catch (AnswerRejected e) {
      // Another process has used the answer meanwhile; the call is its.
      if (!isOpen(record, tool, e.interrupt())) return new End.None();
      return ended(record, failed(tool.name(), record.id(), e), FAILURE);
    } catch (UnusableInput e) {
      return ended(record, ContentJson.error(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      if (driver.isCancelled) return new End.None();
      // Whoever is told to stop by its client does not go on later; all others may.
      if (!isClosing && by.isHeard()) {
        var _ = change(record, CallRecord.CANCELLED, "The client cancelled it.", by);
        if (!record.isTask()) store.delete(record.id());
      }
      throw e;
    } catch (RuntimeException e) {
      return ended(record, failed(tool.name(), record.id(), e), FAILURE);
    } finally {
      drivers.remove(record.id());
    }
  }

  private boolean isOpen(CallRecord record, ServedTool tool, String question) {
    return questions(record, tool).stream().anyMatch(one -> one.asked().id().equals(question));
  }

  private Optional<Outcome> outcome(
      CallRecord record, ServedTool tool, ClientCall by, boolean mayBegin)
      throws InterruptedException {
    var options = options(record, tool, by);
    var begun = tool.graph().state(options);
    var driver = drivers.get(record.id());
    if (driver != null) driver.isResumed = begun.isPresent();
    if (begun.isPresent()) {
      var answers = record.answers(begun.get().questions());
      return Optional.of(tool.graph().resume(answers, options));
    }
    return mayBegin
        ? Optional.of(tool.graph().invoke(tool.call().input(record.arguments()), options))
        : Optional.empty();
  }

  private RunOptions options(CallRecord record, ServedTool tool, ClientCall by) {
    var most = record.isTask() ? setting.limits().task() : setting.limits().call();
    var options =
        RunOptions.thread(record.thread())
            .checkpoints(setting.checkpointer())
            .metadata("mcp.tool", tool.name())
            .metadata("mcp.principal", record.principal())
            .with(ClientCall.KEY, by)
            .deadline(most);
    return tool.options(options);
  }

  private End stopped(CallRecord record, Driver driver, Outcome.Reason reason, ClientCall by) {
    if (driver.isCancelled) return new End.None();
    // The process is told to end: another one goes on.
    if (reason == Outcome.Reason.DRAINED) return new End.None();
    if (reason == Outcome.Reason.CANCELLED) {
      var _ = change(record, CallRecord.CANCELLED, "", by);
      return new End.Result(ContentJson.error(stopped(reason)));
    }
    return ended(record, ContentJson.error(stopped(reason)));
  }

  private String stopped(Outcome.Reason reason) {
    return switch (reason) {
      case CANCELLED -> "The call was cancelled.";
      case DEADLINE -> "The call took longer than it may.";
      case DRAINED, PAUSED, TASK_LIMIT -> "The call stopped before its end.";
    };
  }

  private End ended(CallRecord record, ObjectNode result) {
    return ended(record, result, "");
  }

  /// @param failure in words, if the call broke, and not only its tool said that it failed
  private End ended(CallRecord record, ObjectNode result, String failure) {
    if (record.isTask()) {
      boolean isError = result.path("isError").asBoolean(false);
      var status = isError ? CallRecord.FAILED : CallRecord.COMPLETED;
      var _ = store.change(record.id(), now -> now.in(status, failure).with(Wire.json(result)));
    } else if (isResumed(record)) {
      // The client has its id, and may ask for the result again.
      boolean isError = result.path("isError").asBoolean(false);
      store.end(record, isError ? CallRecord.FAILED : CallRecord.COMPLETED, Wire.json(result));
    } else {
      store.delete(record.id());
    }
    if (!setting.keepsThreads()) deleteThread(record);
    return new End.Result(result);
  }

  private boolean isResumed(CallRecord record) {
    var driver = drivers.get(record.id());
    return driver != null && driver.isResumed;
  }

  private ObjectNode fitting(ObjectNode result) {
    int most = setting.limits().resultBytes();
    int length = Wire.write(result).length();
    if (length <= most) return result;
    return ContentJson.error(
        "The result has %,d characters, and at most %,d are sent. Ask for less."
            .formatted(length, most));
  }

  /// Its message may tell what is not for the client: the log has it, under an id.
  private static ObjectNode failed(String tool, String id, RuntimeException e) {
    LOG.error("A call of {} failed: {}", tool, id, e);
    return ContentJson.error(
        "The tool `"
            + tool
            + "` failed. The log of the server tells why"
            + (id.isEmpty() ? "." : ", under the id " + id + "."));
  }

  private Optional<CallRecord> change(CallRecord record, String status, String why, ClientCall by) {
    var now = store.change(record.id(), one -> one.in(status, why));
    if (record.isTask()) now.ifPresent(one -> tell(one, by));
    return now;
  }

  static void tell(CallRecord record, ClientCall by) {
    by.session().ifPresent(session -> session.tell("notifications/tasks/status", record.task()));
  }

  /// Gives answers to a call that waits, and works at it until it has ended or waits again.
  public End resume(CallRecord record, ServedTool tool, ClientCall by, Answers answers)
      throws InterruptedException {
    var now = store.change(record.id(), one -> one.and(answers).in(CallRecord.WORKING, ""));
    if (now.isEmpty() || now.get().hasEnded()) return new End.None();
    return work(now.get(), tool, by, false);
  }

  // --- Calls that wait, or are left ---

  /// The open questions of a call.
  public List<QuestionForm> questions(CallRecord record, ServedTool tool) {
    var options = RunOptions.thread(record.thread()).checkpoints(setting.checkpointer());
    return tool.graph()
        .state(options)
        .map(state -> QuestionForm.all(state.questions(), tool))
        .orElse(List.of());
  }

  /// Returns whether anything of a call is saved. From then on the lease of its thread tells
  /// whether somebody works at it.
  boolean hasBegun(CallRecord record, ServedTool tool) {
    var options = RunOptions.thread(record.thread()).checkpoints(setting.checkpointer());
    return tool.graph().state(options).isPresent();
  }

  /// Claims a call of which nothing is saved, by its age: to begin it twice would do its work
  /// twice.
  boolean claim(CallRecord record) {
    return store.claim(record.id(), BEGINNING);
  }

  public int atWork() {
    return drivers.size();
  }

  public boolean isAtWork(String id) {
    return drivers.containsKey(id);
  }

  /// Ends a call, whichever process works at it.
  ///
  /// @return the call as it is now, if it had not ended before
  public Optional<CallRecord> cancel(CallRecord record) {
    var driver = drivers.get(record.id());
    if (driver != null) driver.isCancelled = true;
    var now = store.change(record.id(), one -> one.in(CallRecord.CANCELLED, "It was cancelled."));
    if (driver != null) {
      driver.thread.interrupt();
    } else {
      try {
        Threads.in(setting.checkpointer()).cancel(record.thread());
      } catch (MissingCapability _) {
        // Then its process notices when it saves its status.
      }
    }
    return now;
  }

  /// Deletes what is kept no longer.
  void expire() {
    for (int i = 0; i < EXPIRED_MAX; i++) {
      var all = store.expired();
      for (var record : all) {
        if (!record.hasEnded()) cancel(record);
        store.delete(record.id());
        deleteThread(record);
      }
      if (all.isEmpty()) return;
    }
  }

  private void deleteThread(CallRecord record) {
    try {
      Threads.in(setting.checkpointer()).delete(record.thread());
    } catch (SuperstepException e) {
      LOG.warn("The thread {} stays", record.thread(), e);
    }
  }

  /// Interrupts what is at work in this process; it can be gone on with.
  public void close() {
    isClosing = true;
    drivers.values().forEach(driver -> driver.thread.interrupt());
  }

  public CallStore store() {
    return store;
  }

  Duration longest() {
    return setting.limits().task();
  }
}
