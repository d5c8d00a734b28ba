package dev.superstep.server.internal.api;

import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.SuperstepException;
import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.RunQuotas;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.run.RunOutputs;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.ThreadStates;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Finds threads, their graphs and their states for the resources. Safe for many threads.
public final class ThreadAccess {
  private static final int ADOPTED_MAX = 200;
  private static final long ADOPTION_NANOS = Duration.ofSeconds(2).toNanos();

  private final Service service;
  private final RunService runs;
  private final AtomicLong adopted = new AtomicLong(System.nanoTime() - ADOPTION_NANOS);

  public ThreadAccess(Service service, RunService runs) {
    this.service = service;
    this.runs = runs;
  }

  /// The most threads and runs.
  RunQuotas quotas() {
    return runs.quotas();
  }

  /// Finds a thread.
  ///
  /// @throws HttpFailure 404 if there is none
  Document find(String thread) {
    return find(thread, Granted.ALL);
  }

  /// Finds a thread that may be seen.
  ///
  /// @throws HttpFailure 404 if there is none
  public Document find(String thread, Granted granted) {
    var known = service.documents().read(in -> in.find(DocumentKind.THREAD, thread));
    if (known.isEmpty() && granted.metadata().isEmpty()) known = adopted(thread);
    return known
        .filter(found -> granted.sees(ThreadDocuments.metadata(found)))
        .orElseThrow(() -> ThreadDocuments.unknown(thread));
  }

  /// Finds a thread that may be seen, if there is one.
  public Optional<Document> findIfAny(String thread, Granted granted) {
    try {
      return Optional.of(find(thread, granted));
    } catch (HttpFailure missing) {
      if (missing.status() != 404) throw missing;
      return Optional.empty();
    }
  }

  /// The assistant that ran on a thread last, whoever may see the thread; empty if none did.
  public Optional<String> assistant(String thread) {
    return service
        .documents()
        .read(in -> in.find(DocumentKind.THREAD, thread))
        .map(known -> ThreadDocuments.metadata(known).path("assistant_id").asString(""))
        .filter(id -> !id.isEmpty());
  }

  /// The open questions of a thread.
  public List<Interrupt> questions(Document thread) {
    var options = RunOptions.thread(thread.id()).checkpoints(service.checkpointer());
    return wire(thread)
        .map(GraphWire::served)
        // With its migrations, as its runs.
        .flatMap(served -> served.graph().state(served.options().apply(options)))
        .map(state -> state.questions())
        .orElse(List.of());
  }

  /// The graph of an assistant or of its own id; the id itself if there is none of either.
  String graphOf(String id) {
    if (runs.wires().containsKey(id)) return id;
    return service
        .documents()
        .read(in -> in.find(DocumentKind.ASSISTANT, id))
        .map(Document::parent)
        .orElse(id);
  }

  /// The graph of a thread, or empty if it has none yet.
  public Optional<GraphWire> wire(Document thread) {
    var graph = ThreadDocuments.metadata(thread).path("graph_id").asString("");
    return Optional.ofNullable(runs.wires().get(graph));
  }

  /// The graph of a thread.
  ///
  /// @throws HttpFailure 400 if it has none yet
  public GraphWire graph(Document thread) {
    return wire(thread)
        .orElseThrow(() ->
            new HttpFailure(
                400,
                "Thread "
                    + thread.id()
                    + " has no graph that is served here. Start a run on it first, or create it"
                    + " with `graph_id` in its metadata."));
  }

  /// The states of a thread's graph.
  public ThreadStates states(GraphWire wire) {
    return new ThreadStates(wire, service.checkpointer());
  }

  /// Operations on a thread that reach the stores of its graph.
  public Threads threads(Document thread) {
    var threads = Threads.in(service.checkpointer());
    return wire(thread).map(wire -> threads.reaching(wire.served().graph())).orElse(threads);
  }

  /// Returns whether anything was saved of a thread.
  boolean hasState(Document thread) {
    return !service.checkpointer().page(Lineage.of(thread.id()), Optional.empty(), 1).isEmpty();
  }

  /// The values of a thread; an empty object if it has none.
  JsonNode values(Document thread) {
    var none = JsonNodeFactory.instance.objectNode();
    try {
      return wire(thread)
          .map(wire -> states(wire).latest(thread.id(), false).path("values"))
          .orElse(none);
    } catch (SuperstepException _) {
      // One that does not fit its graph any more must not hide the others.
      return none;
    }
  }

  /// The output for a client that waits for a run: the values, with open questions.
  JsonNode output(String thread) {
    var wire = wire(find(thread));
    if (wire.isEmpty()) return JsonNodeFactory.instance.objectNode();
    var served = wire.get().served();
    var options =
        served.options().apply(RunOptions.thread(thread).checkpoints(service.checkpointer()));
    return served
        .graph()
        .state(options)
        .map(state -> RunOutputs.of(wire.get(), state))
        .orElseGet(JsonNodeFactory.instance::objectNode);
  }

  /// A thread as clients see it.
  ///
  /// @param select the fields that are wanted; empty for all
  public ObjectNode json(Document thread, Set<String> select) {
    var json = ThreadDocuments.json(thread);
    if (select.isEmpty() || select.contains("values")) json.set("values", values(thread));
    return json;
  }

  // --- Threads that other programs made ---

  /// Makes documents for the newest threads of the checkpointer that have none, such as those of
  /// `superstep run`.
  void adoptAll() {
    long now = System.nanoTime();
    long last = adopted.get();
    if (now - last < ADOPTION_NANOS || !adopted.compareAndSet(last, now)) return;
    var listing = service.checkpointer().capability(CheckpointerCapability.ThreadListing.class);
    if (listing.isEmpty()) return;
    for (var summary : listing.get().threads(ThreadQuery.newest(ADOPTED_MAX))) {
      var id = summary.thread();
      var known = service.documents().read(in -> in.find(DocumentKind.THREAD, id));
      if (known.isEmpty()) {
        var _ = adopted(id);
      }
    }
  }

  private Optional<Document> adopted(String thread) {
    var listing = service.checkpointer().capability(CheckpointerCapability.ThreadListing.class);
    var found = listing.flatMap(list -> list.find(thread));
    if (found.isEmpty()) return Optional.empty();
    var at = found.get().checkpoint();
    var graph = at.graph();
    if (!runs.wires().containsKey(graph)) return Optional.empty();
    var metadata = JsonNodeFactory.instance.objectNode();
    metadata.put("graph_id", graph);
    metadata.put("assistant_id", Assistants.idOf(graph));
    var status = at.progress().next().isEmpty() ? RunStatus.IDLE : RunStatus.INTERRUPTED;
    return service
        .documents()
        .write(in -> {
          var made =
              ThreadDocuments.made(in, thread, metadata)
                  .in(status)
                  .updated(at.at())
                  .body(Trees.json(metadata.objectNode().put("resting", status), "thread"));
          in.insert(made);
          return in.find(DocumentKind.THREAD, thread);
        });
  }
}
