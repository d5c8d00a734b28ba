package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.event.Detail;
import dev.superstep.graph.Drain;
import dev.superstep.graph.RunOptions;
import dev.superstep.program.RunContext;
import dev.superstep.run.Breakpoints;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.Claim;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunQuotas;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.FrameSource;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.NewRun;
import dev.superstep.server.internal.queue.RunListener;
import dev.superstep.server.internal.queue.RunQueue;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.queue.RunSettings;
import dev.superstep.server.internal.queue.ThreadEvents;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.RunMetadata;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEvents;
import dev.superstep.server.internal.wire.stream.RunFrames;
import dev.superstep.server.internal.wire.stream.StreamMode;
import dev.superstep.server.log.ServerListener;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import dev.superstep.store.Store;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes, runs, streams, joins and cancels the runs of a service, together with the other processes
/// on its store. Safe for many threads.
public final class RunService implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(2);

  private final Checkpointer checkpointer;
  private final ServiceStore documents;
  private final Optional<Store> memory;
  private final Map<String, GraphWire> wires;
  private final RunSettings settings;
  private final RunQueue queue;
  private final Observer observer;
  private final ActiveLogs logs = new ActiveLogs();
  private final RunWorkers workers;
  private final Drain drain = new Drain();

  /// @param graphs by their ids
  public RunService(
      RunStores stores, Map<String, ServedGraph> graphs, RunSettings settings, Observer observer) {
    this.checkpointer = stores.checkpointer();
    this.documents = stores.documents();
    this.memory = stores.memory();
    this.settings = settings;
    this.observer = observer;
    this.wires = wires(graphs);
    var worker = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    this.queue = new RunQueue(documents, worker, wires.keySet(), settings, observer.ends());
    this.workers = new RunWorkers(documents, queue, settings, logs, this::execution);
  }

  /// Those who hear of runs.
  ///
  /// @param ends hears of each end, in its transaction
  public record Observer(RunListener ends, ServerListener listener) {}

  private static Map<String, GraphWire> wires(Map<String, ServedGraph> graphs) {
    var all = new LinkedHashMap<String, GraphWire>();
    graphs.forEach((id, graph) -> all.put(id, new GraphWire(graph)));
    return java.util.Collections.unmodifiableMap(all);
  }

  /// Saves the assistants of the graphs, and begins to work.
  public void start() {
    documents.write(in -> {
      for (var wire : wires.values()) in.insert(Assistants.ofGraph(in, wire.served()));
      return true;
    });
    observer.listener().waiting(this::waiting);
    workers.start();
  }

  /// The runs that could begin and have not, in all processes.
  private long waiting() {
    return documents.read(
        in -> in.count(DocumentQuery.of(DocumentKind.RUN).in(RunStatus.PENDING).dueBy(in.now())));
  }

  /// The JSON forms of a graph.
  ///
  /// @throws HttpFailure 404 if it is not served here
  public GraphWire wire(String graph) {
    var wire = wires.get(graph);
    if (wire != null) return wire;
    throw new HttpFailure(404, "Graph '" + graph + "' is not served here.");
  }

  /// The served graphs by their ids.
  public Map<String, GraphWire> wires() {
    return wires;
  }

  // --- Runs ---

  /// Makes a run, and begins it if there is room.
  ///
  /// @throws HttpFailure 404 if there is no such thread, 422 if the thread has another run, 503
  ///   while the server ends
  public Document create(NewRun run) {
    if (drain.isStarted()) {
      throw new HttpFailure(503, "The server ends. Send the request again, to another one.")
          .with("Retry-After", "1");
    }
    boolean hasSlot = workers.takeSlot();
    Document made;
    try {
      made = queue.create(run, hasSlot);
    } catch (RuntimeException | Error e) {
      if (hasSlot) workers.freeSlot();
      throw e;
    }
    boolean isOurs = made.status().equals(RunStatus.RUNNING);
    // It is made, so the client is told so, whatever comes of its start.
    if (isOurs) workers.beginClaimed(made);
    else if (hasSlot) workers.freeSlot();
    return made;
  }

  /// Makes a run as a part of a transaction. It begins when a process has room for it.
  public Document createLater(ServiceTransaction in, NewRun run) {
    return queue.create(in, run, false);
  }

  /// The most threads and runs.
  public RunQuotas quotas() {
    return settings.quotas();
  }

  private RunExecution execution(Document run) {
    var body = ThreadDocuments.body(run);
    var claim =
        new Claim(
            run.id(),
            run.parent(),
            body.path("worker").asString(""),
            body.path("attempt").asInt(1));
    var request = new RunRequest((ObjectNode) body.path("kwargs"));
    var wire = wire(body.path("graph_id").asString(""));
    var options = options(run, request, settings(run), wire);
    boolean isFollowed = ThreadEvents.begin(run).isPresent();
    return new RunExecution(
        new RunExecution.Job(
            claim,
            run,
            request,
            wire,
            inputs -> transcript(wire, context(run, request, claim, inputs), isFollowed),
            RunExecution.listening(options, details(request, isFollowed)),
            checkpointer,
            queue,
            new EventQuota(settings.quotas().eventBytes()),
            observer.listener()));
  }

  private static Set<Detail> details(RunRequest request, boolean isFollowed) {
    var all = EnumSet.noneOf(Detail.class);
    all.addAll(RunFrames.details(request.modes()));
    if (isFollowed) all.addAll(ProtocolEvents.details());
    return all;
  }

  private static RunTranscript transcript(
      GraphWire wire,
      dev.superstep.server.internal.wire.stream.RunContext context,
      boolean isFollowed) {
    return new RunTranscript(
        new RunFrames(wire, context), isFollowed ? new ProtocolEvents(wire, context) : null);
  }

  private static dev.superstep.server.internal.wire.stream.RunContext context(
      Document run, RunRequest request, Claim claim, int inputs) {
    return new dev.superstep.server.internal.wire.stream.RunContext(
        run.id(),
        run.parent(),
        run.label(),
        claim.attempt(),
        metadata(run),
        inputs,
        request.modes(),
        request.showsSubgraphs());
  }

  private static Map<String, JsonNode> metadata(Document run) {
    var all = new LinkedHashMap<String, JsonNode>();
    ThreadDocuments.metadata(run).forEachEntry(all::put);
    return all;
  }

  private RunOptions options(Document run, RunRequest request, Settings given, GraphWire wire) {
    var options =
        RunOptions.thread(run.parent())
            .checkpoints(checkpointer)
            .journal(JournalContent::of)
            .drain(drain)
            .carrying(observer.listener().context())
            .lease(settings.lease())
            .waitForLease(settings.lease().multipliedBy(3))
            .with(
                RunContext.CONTEXT,
                Trees.json(merged(given.assistant(), request, "context"), "context"))
            .with(
                RunContext.CONFIGURABLE,
                Trees.json(configurable(given, request, run), "configurable"));
    if (memory.isPresent()) options = options.store(memory.get());
    var principal = RunDocuments.principal(run);
    if (principal.isPresent()) options = new RunPrincipal(principal.get()).in(options);
    var steps = request.stepLimit();
    if (steps.isPresent()) options = options.stepLimit(steps.getAsInt());
    var durability = request.durability();
    if (durability.isPresent()) options = options.durability(durability.get());
    options = options.breakpoints(breakpoints(request, wire));
    options = RunPlan.described(options, RunMetadata.stored(ThreadDocuments.metadata(run)));
    options =
        RunPlan.described(
            options,
            Map.of(
                "run_id",
                run.id(),
                "graph_id",
                wire.served().id(),
                "assistant_id",
                run.label(),
                "thread_id",
                run.parent()));
    return wire.served().options().apply(options);
  }

  private static ObjectNode merged(ObjectNode assistant, RunRequest request, String field) {
    var all = request.body().objectNode();
    if (assistant.path(field) instanceof ObjectNode known) all.setAll(known);
    all.setAll(request.context());
    return all;
  }

  /// The bodies of what a run takes settings from, each empty if it is gone.
  private record Settings(ObjectNode assistant, ObjectNode thread) {}

  private Settings settings(Document run) {
    return documents.read(in ->
        new Settings(
            body(in, DocumentKind.ASSISTANT, run.label()),
            body(in, DocumentKind.THREAD, run.parent())));
  }

  private static ObjectNode body(ServiceTransaction in, DocumentKind kind, String id) {
    return in.find(kind, id)
        .map(ThreadDocuments::body)
        .orElseGet(JsonNodeFactory.instance::objectNode);
  }

  private static ObjectNode configurable(Settings given, RunRequest request, Document run) {
    var all = request.body().objectNode();
    var sources =
        List.<JsonNode>of(
            given.assistant().path("config"), given.thread().path("config"), request.config());
    for (var source : sources) {
      if (source.path("configurable") instanceof ObjectNode some) all.setAll(some);
    }
    all.put("thread_id", run.parent());
    all.put("run_id", run.id());
    return all;
  }

  private static Breakpoints breakpoints(RunRequest request, GraphWire wire) {
    var all = Breakpoints.none();
    var before = request.breakpoints("interrupt_before");
    var after = request.breakpoints("interrupt_after");
    if (before.isPresent()) all = all.before(named(before.get(), wire));
    if (after.isPresent()) all = all.after(named(after.get(), wire));
    return all;
  }

  private static String[] named(List<String> names, GraphWire wire) {
    if (!names.contains("*")) return names.toArray(String[]::new);
    return wire.served().graph().parts().nodes().stream()
        .map(node -> node.name())
        .toArray(String[]::new);
  }

  // --- Readers ---

  /// The stream of a run.
  ///
  /// @param after the id of the last event that the client has; empty for what comes from now on
  /// @param modes only these, if there are some
  /// @param cancels whether the run is cancelled if the client leaves before its end
  public FrameSource stream(
      String run, Optional<String> after, Set<StreamMode> modes, boolean cancels) {
    long offset =
        after
            .flatMap(RunFrameSource::offset)
            .orElseGet(() -> documents.read(in -> in.lastOffset(RunDocuments.log(run))));
    Runnable abandoned = cancels ? () -> cancel(run, RunQueue.INTERRUPT) : () -> {};
    return new RunFrameSource(
        documents,
        logs,
        new RunFrameSource.Place(run, offset, ""),
        event -> StreamFilter.isWanted(event, modes),
        abandoned);
  }

  /// The streams of all runs of a thread, one after the other.
  ///
  /// @param after the id of the last event that the client has; empty for what comes from now on
  /// @param modes only these, if there are some
  public FrameSource streamThread(String thread, Optional<String> after, Set<StreamMode> modes) {
    return new ThreadFrameSource(documents, logs, thread, after, modes);
  }

  /// The events of a thread in the event-streaming protocol, over all its runs.
  ///
  /// @param granted what its client may see
  /// @param after the place of the last event that the client has; empty to begin with the runs at
  ///   work
  public ThreadEventReader events(String thread, Granted granted, OptionalLong after) {
    return new ThreadEventReader(documents, thread, granted, after);
  }

  /// Waits until a run has ended.
  ///
  /// @return the run as it ended, or empty if it was deleted
  public Optional<Document> join(String run) throws InterruptedException {
    var here = logs.find(run);
    // Who works on it here says so first.
    if (here.isPresent()) here.get().awaitOver();
    try (var watch = documents.watch(RunDocuments.log(run))) {
      while (true) {
        var known = documents.read(in -> in.find(DocumentKind.RUN, run));
        if (known.isEmpty() || !RunStatus.isActive(known.get().status())) return known;
        var _ = watch.await(LOOK);
      }
    }
  }

  /// Cancels a run.
  ///
  /// @param action `interrupt` or `rollback`
  public void cancel(String run, String action) {
    queue.cancel(run, action);
  }

  /// Deletes a run that has ended.
  public void delete(String run) {
    queue.delete(run);
  }

  /// Notes the state that an edit left of a thread.
  public void edited(String thread, ObjectNode interrupts, boolean hasWork) {
    var status = hasWork ? RunStatus.INTERRUPTED : RunStatus.IDLE;
    documents.write(in -> {
      in.lock(ThreadDocuments.lock(thread));
      return ThreadDocuments.settle(in, thread, status, interrupts, Optional.empty());
    });
  }

  // --- The end of the process ---

  /// Takes no more runs, and lets those at work end their supersteps; other processes go on with
  /// them.
  ///
  /// @return false if some were still at work when the time was over
  public boolean drain(Duration most) throws InterruptedException {
    workers.drain();
    drain.start();
    return workers.awaitIdle(most);
  }

  @Override
  public void close() {
    workers.close();
    observer.listener().stopped();
  }

  /// The number of runs at work in this process.
  public int atWork() {
    return workers.atWork();
  }
}
