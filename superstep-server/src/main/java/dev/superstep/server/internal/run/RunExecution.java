package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.RunRefused;
import dev.superstep.event.Detail;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.RunStream;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome;
import dev.superstep.server.internal.documents.Claim;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.RunEnd;
import dev.superstep.server.internal.queue.RunQueue;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.wire.ErrorJson;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.log.ServerListener;
import dev.superstep.service.Document;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A run at work in this process, from its claim to its end. Runs on a thread of its own; may be
/// cancelled from others.
final class RunExecution {
  private static final int RESUMPTIONS_MAX = 2;
  private static final int PAGE = 100;
  private static final int ATTEMPTS_MAX = 20;
  private static final int CAUSES_MAX = 20;

  private final Job job;
  private final RunLog log;
  private final Object stopping = new Object();
  private final long began = System.nanoTime();
  private RunTranscript transcript;
  private RunOptions options;
  private List<Interrupt> before = List.of();
  private @Nullable RunStream stream;
  private @Nullable String cancelled;
  private boolean isLost;
  private boolean isOverdue;

  RunExecution(Job job) {
    this.job = job;
    this.log = new RunLog(job.queue(), job.claim(), job.quota(), this::lose);
    this.transcript = job.transcripts().apply(0);
    this.options = job.options();
  }

  /// The parts that a run needs. Immutable.
  ///
  /// @param run its document, as it was claimed
  /// @param transcripts makes the forms of its events, by the number of inputs before its own
  record Job(
      Claim claim,
      Document run,
      RunRequest request,
      GraphWire wire,
      IntFunction<RunTranscript> transcripts,
      RunOptions options,
      Checkpointer store,
      RunQueue queue,
      EventQuota quota,
      ServerListener listener) {}

  Claim claim() {
    return job.claim();
  }

  RunLog log() {
    return log;
  }

  /// Cancels the run; it ends when what it is at has noticed.
  void cancel(String action) {
    synchronized (stopping) {
      if (cancelled == null) cancelled = action;
      if (stream != null) stream.cancel();
    }
  }

  /// Stops the work if it has taken longer than a run may.
  void checkTime(Duration longest) {
    if (System.nanoTime() - began < longest.toNanos()) return;
    synchronized (stopping) {
      isOverdue = true;
      if (stream != null) stream.cancel();
    }
  }

  /// Stops the work, since somebody else has the run.
  void lose() {
    synchronized (stopping) {
      isLost = true;
      if (stream != null) stream.cancel();
    }
  }

  /// Runs it to its end, and saves that.
  void run() throws InterruptedException {
    var begin =
        new ServerListener.RunBegin(
            job.claim().run(),
            job.claim().thread(),
            job.wire().served().id(),
            job.claim().attempt(),
            RunDocuments.carried(job.run()));
    try (var span = job.listener().run(begin)) {
      run(span);
    }
  }

  private void run(ServerListener.RunSpan span) throws InterruptedException {
    @Nullable RunEnd end;
    try {
      log.countSaved();
      log.add(transcript.start(job.request().answered()));
      end = ended(worked());
    } catch (InterruptedException e) {
      throw e;
    } catch (RunRefused _) {
      // The process ends before it has begun; another one will.
      end = null;
    } catch (Exception | StackOverflowError e) {
      if (isOutage(e)) throw e;
      end = failed(e);
    }
    var saved = finish(end);
    if (saved != null) span.ended(isRolledBack() ? RunStatus.INTERRUPTED : saved.status());
  }

  /// Returns whether a run failed only because the store did not answer. Its thread is as it was
  /// saved last, so whoever takes the run over when its lease ends goes on from there. One that
  /// fails like this each time ends at last.
  private boolean isOutage(Throwable error) {
    if (job.claim().attempt() >= ATTEMPTS_MAX) return false;
    var cause = error;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (cause instanceof StoreFailed) return !(cause instanceof StoreDamaged);
      cause = cause.getCause();
    }
    return false;
  }

  /// @return the end, if it is one and nobody else goes on with the run
  private @Nullable RunEnd finish(@Nullable RunEnd end) throws InterruptedException {
    var rest = log.takeRest();
    // Events that were not saved would be missing from a stream that looks whole. Whoever goes on
    // with the run tells its state first.
    if (end == null || (log.isLost() && !isRolledBack())) {
      job.queue().giveBack(job.claim(), rest);
      log.giveBack();
      return null;
    }
    if (isRolledBack()) {
      job.queue().remove(job.claim(), end, rest.and(transcript.rolledBack()));
      log.end(List.of(), Optional.of(0L));
    } else {
      var all = rest.and(transcript.end(end));
      log.end(all.frames(), job.queue().finish(job.claim(), all, end));
    }
    return end;
  }

  private boolean isRolledBack() {
    synchronized (stopping) {
      return RunQueue.ROLLBACK.equals(cancelled);
    }
  }

  private boolean isCancelled() {
    synchronized (stopping) {
      return cancelled != null;
    }
  }

  // --- Working ---

  private Outcome worked() throws InterruptedException {
    var plan = new RunPlan(job.wire(), job.store(), job.claim().thread(), job.request());
    var graph = job.wire().served().graph();
    if (!job.request().answered().isEmpty()) before = open(graph);
    var begin = plan.prepare(job.claim().run(), job.options());
    transcript = job.transcripts().apply(begin.inputs());
    options = begin.options();
    graph.state(options).ifPresent(transcript::begin);
    return switch (begin) {
      case RunPlan.Begin.WithInput(var input, var given, _) -> followed(graph.stream(input, given));
      case RunPlan.Begin.Resumed(var resume, _, _) -> resumed(graph, resume);
    };
  }

  private Outcome resumed(Graph graph, Optional<JsonNode> resume) throws InterruptedException {
    if (resume.isEmpty()) return followed(graph.streamResume(Answers.none(), options));
    var noted = noted();
    if (noted.isPresent()) {
      return followed(graph.streamResume(stillOpen(noted.get(), open(graph)), options));
    }
    for (int i = 0; i < RESUMPTIONS_MAX; i++) {
      var open = open(graph);
      if (!open.isEmpty()) {
        var given = new ResumeById(job.request(), before).toOpen(resume.get(), open);
        if (given.isEmpty()) return followed(graph.streamResume(Answers.none(), options));
        var answers = job.wire().answers(given.get(), open);
        // Another worker could not tell later which questions they were for.
        if (!job.queue().noteAnswers(job.claim(), answers)) return lost();
        return followed(graph.streamResume(answers, options));
      }
      var outcome = followed(graph.streamResume(Answers.none(), options));
      // After a rewind the questions are asked anew first.
      if (!(outcome instanceof Outcome.Interrupted)) return outcome;
    }
    throw new HttpFailure(422, "The thread asks nothing that could be answered.");
  }

  private List<Interrupt> open(Graph graph) {
    return graph.state(options).map(at -> at.questions()).orElse(List.of());
  }

  /// The answers that an earlier worker of the run gave, by question.
  private Optional<JsonNode> noted() {
    var answers = ThreadDocuments.body(job.run()).path("answers");
    return answers.isObject() ? Optional.of(answers) : Optional.empty();
  }

  private static Answers stillOpen(JsonNode noted, List<Interrupt> open) {
    var left = new LinkedHashMap<String, Json>();
    for (var question : open) {
      var answer = noted.path(question.id());
      if (!answer.isMissingNode()) left.put(question.id(), Trees.json(answer, "answer"));
    }
    return Answers.json(left);
  }

  private Outcome lost() throws InterruptedException {
    lose();
    throw new InterruptedException("somebody else has run " + job.claim().run());
  }

  private Outcome followed(RunStream run) throws InterruptedException {
    try (run) {
      synchronized (stopping) {
        stream = run;
        if (cancelled != null || isLost || isOverdue) run.cancel();
      }
      for (var event : run) log.add(transcript.of(event));
      return run.outcome();
    } finally {
      synchronized (stopping) {
        stream = null;
      }
    }
  }

  // --- Ending ---

  /// @return null if another process goes on with the run
  private @Nullable RunEnd ended(Outcome outcome) throws InterruptedException {
    return switch (outcome) {
      case Outcome.Completed _ -> RunEnd.success(RunStatus.IDLE, interrupts(List.of()), values());
      case Outcome.Interrupted(var open) ->
          RunEnd.success(RunStatus.INTERRUPTED, interrupts(open), values());
      case Outcome.Stopped(var reason, _) -> stopped(reason);
    };
  }

  private @Nullable RunEnd stopped(Outcome.Reason reason) throws InterruptedException {
    return switch (reason) {
      case PAUSED -> RunEnd.success(RunStatus.INTERRUPTED, interrupts(List.of()), values());
      case DEADLINE, TASK_LIMIT -> timedOut();
      case DRAINED -> null;
      case CANCELLED -> cancelledEnd();
    };
  }

  private static RunEnd timedOut() {
    return RunEnd.stopped(RunStatus.TIMEOUT, RunStatus.INTERRUPTED);
  }

  private @Nullable RunEnd cancelledEnd() {
    if (!isCancelled()) {
      synchronized (stopping) {
        if (isOverdue && !isLost) return timedOut();
      }
      // The process ends, or somebody else has the run: it is not over.
      return null;
    }
    if (isRolledBack()) rollBack();
    var state = job.wire().served().graph().state(options);
    boolean hasWork = state.filter(at -> !at.next().isEmpty()).isPresent();
    var open = state.map(at -> at.questions()).orElse(List.of());
    var thread = hasWork ? RunStatus.INTERRUPTED : RunStatus.IDLE;
    return new RunEnd(
        RunStatus.INTERRUPTED, thread, interrupts(open), Optional.empty(), Optional.empty());
  }

  /// Deletes what the run wrote.
  private void rollBack() {
    var threads = Threads.in(job.store()).reaching(job.wire().served().graph());
    var mark = java.util.Map.of("run_id", job.claim().run());
    var runs = new HashSet<String>();
    var page = threads.history(job.claim().thread(), mark, Optional.empty(), PAGE);
    while (!page.isEmpty()) {
      for (var checkpoint : page) runs.add(checkpoint.run());
      var last = Optional.of(page.getLast().id());
      page = threads.history(job.claim().thread(), mark, last, PAGE);
    }
    for (var run : runs) threads.deleteRun(run);
  }

  private Optional<ObjectNode> values() {
    var body = ThreadDocuments.body(job.run());
    boolean isWanted =
        body.path("stateless").asBoolean(false) || job.request().webhook().isPresent();
    if (!isWanted && !job.queue().needsState(job.run())) return Optional.empty();
    var state = job.wire().served().graph().state(options);
    if (!isWanted) return state.map(at -> job.wire().values(at.state()));
    return state.map(at -> RunOutputs.of(job.wire(), at));
  }

  private ObjectNode interrupts(List<Interrupt> open) {
    return job.wire().interrupts(open);
  }

  private @Nullable RunEnd failed(Throwable error) throws InterruptedException {
    synchronized (stopping) {
      if (isLost) return null;
    }
    ServerLog.failed(job.claim().run(), error);
    log.add(transcript.failed(error));
    var json = ErrorJson.of(error);
    if (error instanceof ResumeRefused refused) refused.addTo(json);
    var asked = isRefusedAnswer(error) ? open(job.wire().served().graph()) : List.<Interrupt>of();
    return asked.isEmpty() ? RunEnd.failed(json) : RunEnd.refused(json, interrupts(asked));
  }

  /// Returns whether nothing was run, since the answers fit no longer: somebody else was faster, or
  /// an earlier run in the queue changed the questions.
  private boolean isRefusedAnswer(Throwable error) {
    return switch (error) {
      case AnswerRejected _, ResumeRefused _ -> true;
      case HttpFailure _ -> job.request().resume().isPresent();
      default -> false;
    };
  }

  /// The details of events that the stream of a run needs.
  static RunOptions listening(RunOptions options, java.util.Set<Detail> details) {
    return options.details(details.toArray(Detail[]::new));
  }
}
