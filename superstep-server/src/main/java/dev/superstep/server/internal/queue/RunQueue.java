package dev.superstep.server.internal.queue;

import dev.superstep.json.Json;
import dev.superstep.run.Answers;
import dev.superstep.server.internal.documents.Claim;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.LogEntry;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tools.jackson.databind.node.ObjectNode;

/// The runs that wait, are at work or have ended, in the store that all processes share. Each
/// method is one transaction. Safe for many threads.
///
/// A thread has at most one run at work. A run at work is held by a worker until its lease ends, by
/// the time of the store; then any worker may take it over.
public final class RunQueue {
  /// The actions of a cancellation.
  public static final String INTERRUPT = "interrupt";

  public static final String ROLLBACK = "rollback";

  private static final String CLAIMING = "runs/claim";
  private static final int LOOKED_AT = 100;
  private static final int SAVED_AT_ONCE = 50;

  private final ServiceStore documents;
  private final String worker;
  private final Set<String> graphs;
  private final RunSettings settings;
  private final Duration lease;
  private final RunListener listener;

  /// @param graphs the ids of those that this worker can run
  public RunQueue(
      ServiceStore documents,
      String worker,
      Set<String> graphs,
      RunSettings settings,
      RunListener listener) {
    this.documents = documents;
    this.worker = worker;
    this.graphs = graphs;
    this.settings = settings;
    this.lease = settings.lease();
    this.listener = listener;
  }

  // --- Making runs ---

  /// Saves a new run.
  ///
  /// @param mayStart whether this worker has room to run it at once
  /// @return the run, which this worker holds if it is running
  /// @throws HttpFailure 404 if there is no such thread, 422 if the thread has another run
  public Document create(NewRun run, boolean mayStart) {
    return documents.write(in -> create(in, run, mayStart));
  }

  /// Saves a new run as a part of a transaction.
  public Document create(ServiceTransaction in, NewRun run, boolean mayStart) {
    in.lock(ThreadDocuments.lock(run.thread()));
    var found = thread(in, run);
    var thread = run.isFollowed() ? ThreadEvents.kept(found) : found;
    var active = ThreadDocuments.active(in, run.thread());
    var strategy = run.request().strategy();
    checkGraph(thread, run, !active.isEmpty());
    if (!active.isEmpty()) makeRoom(in, strategy, active);
    // The others are cancelled.
    boolean isQueued = strategy == RunRequest.Strategy.ENQUEUE;
    settings.quotas().checkRun(in, isQueued ? active : List.of());
    var due = in.now().plus(run.request().after());
    boolean starts = mayStart && active.isEmpty() && !due.isAfter(in.now());
    var made =
        Document.of(DocumentKind.RUN, run.id(), in.now())
            .under(run.thread())
            .labelled(run.assistant().id())
            .metadata(Trees.json(run.metadata(), "metadata"));
    made = RunDocuments.with(made, body(run));
    made = starts ? held(in, made, thread) : made.in(RunStatus.PENDING).dueAt(due);
    in.insert(made);
    in.replace(busy(in, thread, run));
    if (!starts) in.signal(RunDocuments.WAITING);
    in.signal(ThreadDocuments.topic(run.thread()));
    return made;
  }

  private Document thread(ServiceTransaction in, NewRun run) {
    var known = in.find(DocumentKind.THREAD, run.thread());
    if (known.isPresent()) {
      if (sees(run.visible(), ThreadDocuments.metadata(known.get()))) return known.get();
      throw ThreadDocuments.unknown(run.thread());
    }
    if (!run.isStateless() && !run.request().createsThread()) {
      throw ThreadDocuments.unknown(run.thread());
    }
    settings.quotas().checkThread(in);
    var made = ThreadDocuments.made(in, run.thread(), run.visible().deepCopy());
    in.insert(made);
    return made;
  }

  /// A thread belongs to the graph that ran on it first.
  private static void checkGraph(Document thread, NewRun run, boolean isActive) {
    var graph = ThreadDocuments.metadata(thread).path("graph_id").asString("");
    boolean hasRun = isActive || ThreadDocuments.body(thread).has("resting");
    if (!hasRun || graph.isEmpty() || graph.equals(run.assistant().parent())) return;
    throw new HttpFailure(
        409,
        "Thread %s belongs to graph `%s`, not to `%s`. Use another thread."
            .formatted(thread.id(), graph, run.assistant().parent()));
  }

  private static boolean sees(ObjectNode wanted, ObjectNode metadata) {
    for (var field : wanted.properties()) {
      if (!field.getValue().equals(metadata.get(field.getKey()))) return false;
    }
    return true;
  }

  private static ObjectNode body(NewRun run) {
    var body = run.request().body().objectNode();
    body.set("kwargs", run.request().body());
    body.put("multitask_strategy", run.request().strategy().name().toLowerCase(Locale.ROOT));
    body.put("graph_id", run.assistant().parent());
    if (run.isStateless()) body.put("stateless", true);
    if (!run.principal().isEmpty()) body.put("principal", run.principal());
    if (!run.carried().isEmpty()) run.carried().forEach(body.putObject("carried")::put);
    return body;
  }

  private static Document busy(ServiceTransaction in, Document thread, NewRun run) {
    var metadata = ThreadDocuments.metadata(thread);
    metadata.put("graph_id", run.assistant().parent());
    metadata.put("assistant_id", run.assistant().id());
    return thread.in(RunStatus.BUSY).updated(in.now()).metadata(Trees.json(metadata, "metadata"));
  }

  private void makeRoom(
      ServiceTransaction in, RunRequest.Strategy strategy, List<Document> active) {
    switch (strategy) {
      case ENQUEUE -> {}
      case REJECT ->
          throw new HttpFailure(
              422,
              "Thread is already running a task. Wait for it to finish or choose a different"
                  + " multitask strategy.");
      case INTERRUPT -> {
        for (var run : active) cancel(in, run.id(), INTERRUPT);
      }
      case ROLLBACK -> {
        for (var run : active) cancel(in, run.id(), ROLLBACK);
      }
    }
  }

  // --- Working on runs ---

  private Document held(ServiceTransaction in, Document run, Document thread) {
    var body = ThreadDocuments.body(run);
    ThreadEvents.markBegin(in, thread, body);
    body.put("attempt", body.path("attempt").asInt(0) + 1);
    body.put("worker", worker);
    if (!body.has("started_at")) body.put("started_at", in.now().toString());
    var held =
        RunDocuments.with(run, body)
            .in(RunStatus.RUNNING)
            .updated(in.now())
            .dueAt(in.now().plus(lease));
    if (body.path("attempt").asInt(0) == 1) listener.began(in, held);
    return held;
  }

  /// Returns whether the end of a run is to have the whole state of its thread.
  public boolean needsState(Document run) {
    return listener.needsState(run);
  }

  /// Takes runs that wait for their turn, and runs whose worker is gone.
  ///
  /// @param most how many
  /// @param isAtWork tells of a run whether this worker is at it, and has only not renewed its
  ///   lease in time
  public List<Document> claim(int most, Predicate<String> isAtWork) {
    return documents.write(in -> {
      in.lock(CLAIMING);
      var claimed = new ArrayList<Document>();
      var threads = new HashSet<String>();
      for (var run : due(in, LOOKED_AT + most)) {
        if (claimed.size() == most) break;
        if (isAtWork.test(run.id())) continue;
        if (!threads.add(run.parent()) || !isNext(in, run)) continue;
        // What was found may have been cancelled meanwhile.
        var now = in.find(DocumentKind.RUN, run.id());
        if (now.isEmpty() || !now.get().status().equals(run.status())) continue;
        if (!now.get().due().equals(run.due())) continue;
        var thread = in.find(DocumentKind.THREAD, run.parent());
        if (thread.isEmpty()) continue;
        var held = held(in, now.get(), thread.get());
        in.replace(held);
        claimed.add(held);
      }
      return claimed;
    });
  }

  /// The oldest runs that are due, of graphs that this worker has. Those of others are passed over:
  /// they wait for another process, as for one with the next version of a program.
  private List<Document> due(ServiceTransaction in, int most) {
    var all =
        DocumentQuery.of(DocumentKind.RUN)
            .in(RunStatus.PENDING, RunStatus.RUNNING)
            .dueBy(in.now())
            .by(DocumentQuery.Order.CREATED, false)
            .limit(most);
    var ours = new ArrayList<Document>();
    for (int from = 0; ours.size() < most; from += most) {
      var page = in.search(all.offset(from));
      for (var run : page) {
        var graph = ThreadDocuments.body(run).path("graph_id").asString("");
        if (graphs.contains(graph)) ours.add(run);
      }
      if (page.size() < most) break;
    }
    return ours;
  }

  /// Returns whether no other run of the thread is at work or was to begin before.
  private static boolean isNext(ServiceTransaction in, Document run) {
    if (run.status().equals(RunStatus.RUNNING)) return true;
    for (var other : ThreadDocuments.active(in, run.parent())) {
      if (other.id().equals(run.id())) return true;
      if (other.status().equals(RunStatus.RUNNING)) return false;
      boolean isDue = other.due().filter(due -> due.isAfter(in.now())).isEmpty();
      if (isDue) return false;
    }
    return true;
  }

  /// Extends the leases of runs.
  ///
  /// @return those of the runs that somebody else holds by now, or that are gone
  public List<Claim> renew(List<Claim> claims) {
    return documents.write(in -> {
      var lost = new ArrayList<Claim>();
      for (var claim : claims) {
        var run = in.find(DocumentKind.RUN, claim.run());
        if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) lost.add(claim);
        else in.replace(run.get().dueAt(in.now().plus(lease)));
      }
      return lost;
    });
  }

  /// Notes which answers a run gives to which questions.
  ///
  /// @return false if somebody else holds the run by now
  public boolean noteAnswers(Claim claim, Answers answers) {
    return documents.write(in -> {
      var run = in.find(DocumentKind.RUN, claim.run());
      if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) return false;
      var body = ThreadDocuments.body(run.get());
      var noted = body.putObject("answers");
      for (var answer : answers.all()) noted.set(answer.interrupt(), Trees.of(answer.value()));
      return in.replace(RunDocuments.with(run.get(), body));
    });
  }

  /// Adds to the stream of a run.
  ///
  /// @return the offset of the last entry, or empty if somebody else holds the run by now
  public Optional<Long> append(Claim claim, LogBatch entries) {
    return documents.write(in -> {
      var run = in.find(DocumentKind.RUN, claim.run());
      if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) return Optional.<Long>empty();
      return Optional.of(appended(in, claim, entries));
    });
  }

  private static long appended(ServiceTransaction in, Claim claim, LogBatch entries) {
    var log = RunDocuments.log(claim.run());
    var frames = entries.frames();
    long last = frames.isEmpty() ? in.lastOffset(log) : in.append(log, frames);
    ThreadEvents.append(in, claim.thread(), entries.events());
    in.signal(log);
    return last;
  }

  /// Reads what is saved of the stream of a run, some at a time.
  public void eachSaved(Claim claim, Consumer<List<Json>> reader) {
    var log = RunDocuments.log(claim.run());
    long after = 0;
    while (true) {
      long from = after;
      var page = documents.<List<LogEntry>>read(in -> in.entries(log, from, SAVED_AT_ONCE));
      if (page.isEmpty()) return;
      reader.accept(page.stream().map(LogEntry::value).toList());
      after = page.getLast().offset();
    }
  }

  /// Saves the end of a run with the end of its stream.
  ///
  /// @return the offset of the last entry of the stream, or empty, and nothing is saved, if
  ///   somebody else holds the run by now
  public Optional<Long> finish(Claim claim, LogBatch entries, RunEnd end) {
    return documents.write(in -> {
      in.lock(ThreadDocuments.lock(claim.thread()));
      var run = in.find(DocumentKind.RUN, claim.run());
      if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) return Optional.<Long>empty();
      long last = appended(in, claim, entries);
      end(in, run.get(), end);
      return Optional.of(last);
    });
  }

  private void end(ServiceTransaction in, Document run, RunEnd end) {
    var body = ThreadDocuments.body(run);
    body.put("ended_at", in.now().toString());
    end.error().ifPresent(error -> body.set("error", error));
    ThreadEvents.markEnd(in, run, body, end);
    boolean isStateless = body.path("stateless").asBoolean(false);
    if (isStateless) end.values().ifPresent(values -> body.set("output", values));
    var ended = cleanedLater(in, RunDocuments.with(run, body).in(end.status()));
    in.replace(ended);
    boolean hasMore =
        ThreadDocuments.settle(in, run.parent(), end.thread(), end.interrupts(), end.error());
    listener.ended(in, ended, end.values().map(values -> values), end.error());
    // Who had no room looks again when a run of its own has ended.
    if (hasMore) in.signal(RunDocuments.WAITING);
    in.signal(RunDocuments.log(run.id()));
  }

  /// A run that has ended and is due for what is to be cleaned up after it: a thread that was made
  /// for it at once, its stream later.
  private Document cleanedLater(ServiceTransaction in, Document run) {
    boolean isAtOnce = RunDocuments.dropsThread(run);
    if (isAtOnce) in.signal(RunDocuments.CLEANED);
    var due = isAtOnce ? in.now() : in.now().plus(settings.keptEvents());
    return run.updated(in.now()).dueAt(due);
  }

  /// Gives a run back that was stopped so that another process can go on with it.
  public void giveBack(Claim claim, LogBatch entries) {
    documents.write(in -> {
      var run = in.find(DocumentKind.RUN, claim.run());
      if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) return false;
      var _ = appended(in, claim, entries);
      in.replace(run.get().in(RunStatus.PENDING).updated(in.now()).dueAt(in.now()));
      in.signal(RunDocuments.WAITING);
      return true;
    });
  }

  /// Removes a run that was rolled back, with its stream.
  ///
  /// @param events the end of what is told of the thread
  public void remove(Claim claim, RunEnd end, LogBatch events) {
    documents.write(in -> {
      in.lock(ThreadDocuments.lock(claim.thread()));
      var run = in.find(DocumentKind.RUN, claim.run());
      if (run.isEmpty() || !RunDocuments.isHeld(run.get(), claim)) return false;
      removed(in, run.get());
      ThreadEvents.append(in, claim.thread(), events.events());
      return ThreadDocuments.settle(
          in, claim.thread(), end.thread(), end.interrupts(), Optional.empty());
    });
  }

  private static void removed(ServiceTransaction in, Document run) {
    in.delete(DocumentKind.RUN, run.id());
    in.deleteLog(RunDocuments.log(run.id()));
    in.signal(RunDocuments.WAITING);
    in.signal(RunDocuments.log(run.id()));
    in.signal(ThreadDocuments.topic(run.parent()));
  }

  // --- Cancelling and deleting ---

  /// Cancels a run: one that waits at once, one that is at work as soon as its worker hears of it.
  ///
  /// @throws HttpFailure 404 if there is none
  public void cancel(String run, String action) {
    // The lock of the thread comes before those of its runs, here as everywhere.
    var thread = documents.read(in -> RunDocuments.find(in, run).parent());
    documents.write(in -> {
      in.lock(ThreadDocuments.lock(thread));
      cancel(in, run, action);
      return true;
    });
  }

  private void cancel(ServiceTransaction in, String id, String action) {
    var run = in.find(DocumentKind.RUN, id);
    if (run.isEmpty() || !RunStatus.isActive(run.get().status())) return;
    var body = ThreadDocuments.body(run.get());
    boolean hasRun = body.has("attempt");
    if (run.get().status().equals(RunStatus.PENDING) && !hasRun) {
      dropWaiting(in, run.get(), action);
      return;
    }
    body.put("cancel", action);
    in.replace(RunDocuments.with(run.get(), body).updated(in.now()));
    in.signal(RunDocuments.CANCELLED);
    in.signal(RunDocuments.WAITING);
  }

  /// Ends a run that has not begun.
  private void dropWaiting(ServiceTransaction in, Document run, String action) {
    ThreadEvents.dropped(in, run);
    if (action.equals(ROLLBACK)) {
      removed(in, run);
    } else {
      var ended = cleanedLater(in, run.in(RunStatus.INTERRUPTED));
      in.replace(ended);
      in.signal(RunDocuments.log(run.id()));
      listener.ended(in, ended, Optional.empty(), Optional.empty());
    }
    ThreadDocuments.release(in, run.parent());
  }

  /// Which of these runs are to be cancelled, and how.
  public List<Cancelled> cancelled(List<Claim> claims) {
    return documents.read(in -> {
      var all = new ArrayList<Cancelled>();
      for (var claim : claims) {
        var run = in.find(DocumentKind.RUN, claim.run());
        if (run.isEmpty()) continue;
        var action = ThreadDocuments.body(run.get()).path("cancel").asString("");
        if (!action.isEmpty()) all.add(new Cancelled(claim, action));
      }
      return all;
    });
  }

  /// A run that is to be cancelled.
  public record Cancelled(Claim claim, String action) {}

  /// Deletes a run that has ended, with its stream.
  ///
  /// @throws HttpFailure 404 if there is none, 409 if it has not ended
  public void delete(String run) {
    var thread = documents.read(in -> RunDocuments.find(in, run).parent());
    documents.write(in -> {
      in.lock(ThreadDocuments.lock(thread));
      var found = RunDocuments.find(in, run);
      if (RunStatus.isActive(found.status())) {
        throw new HttpFailure(
            409, "Run " + run + " is " + found.status() + ". Cancel it before you delete it.");
      }
      removed(in, found);
      return true;
    });
  }
}
