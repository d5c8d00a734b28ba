package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.api.Service;
import dev.superstep.server.internal.api.ThreadAccess;
import dev.superstep.server.internal.api.events.ProtocolFailure.Code;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.ThreadEvents;
import dev.superstep.server.internal.wire.CheckpointRef;
import dev.superstep.server.internal.wire.HistoryQuery;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.AgentTree;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The commands that read a thread: its state, its checkpoints, and the graphs of a run. Safe for
/// many threads.
final class StateCommands {
  private static final int LIMIT = 10;
  private static final int LIMIT_MAX = 1_000;
  private static final int PAGE = 500;

  private final Service service;
  private final ThreadAccess access;

  StateCommands(Service service, ThreadAccess access) {
    this.service = service;
    this.access = access;
  }

  private Document thread(Call call, String thread) {
    var value = JsonNodeFactory.instance.objectNode().put("thread_id", thread);
    var granted =
        service
            .guard()
            .check(
                call, new Access(Access.Resource.THREADS, Action.READ, Trees.json(value, "body")));
    return access.find(thread, granted);
  }

  private static String namespace(Fields params) {
    return String.join("|", ProtocolFilter.namespace(params.any("namespace"), "namespace"));
  }

  /// `state.get`: the newest values, of all channels or of some.
  ObjectNode get(Call call, String thread, Fields params) {
    var namespace = namespace(params);
    var keys = params.texts("keys");
    var known = thread(call, thread);
    var state = state(known, namespace);
    var result = JsonNodeFactory.instance.objectNode();
    var values = result.putObject("values");
    state
        .path("values")
        .forEachEntry((name, value) -> {
          if (Fields.isNone(params.any("keys")) || keys.contains(name)) values.set(name, value);
        });
    var checkpoint = state.path("checkpoint");
    if (checkpoint.isObject()) {
      var named = result.putObject("checkpoint");
      named.set("id", checkpoint.path("checkpoint_id"));
      named.set("ns", checkpoint.path("checkpoint_ns"));
    }
    return result;
  }

  private JsonNode state(Document thread, String namespace) {
    var wire = access.wire(thread);
    if (namespace.isEmpty()) {
      return wire.isEmpty()
          ? JsonNodeFactory.instance.objectNode()
          : access.states(wire.get()).latest(thread.id(), false);
    }
    var ref = new CheckpointRef(Optional.empty(), namespace);
    try {
      return access
          .states(access.graph(thread))
          .at(thread.id(), ref, false)
          .orElseThrow(() -> noNamespace(thread, namespace));
    } catch (HttpFailure missing) {
      throw noNamespace(thread, namespace);
    }
  }

  private static ProtocolFailure noNamespace(Document thread, String namespace) {
    return new ProtocolFailure(
        Code.NO_SUCH_NAMESPACE,
        "Thread " + thread.id() + " has no graph inside under " + namespace + ".");
  }

  /// `state.listCheckpoints`: the newest first.
  ObjectNode checkpoints(Call call, String thread, Fields params) {
    var namespace = namespace(params);
    var query =
        new HistoryQuery(
            params.number("limit", 1, LIMIT_MAX).orElse(LIMIT),
            params.text("before"),
            Map.of(),
            new CheckpointRef(Optional.empty(), namespace));
    var known = thread(call, thread);
    if (!namespace.isEmpty()) {
      var _ = state(known, namespace);
    }
    var result = JsonNodeFactory.instance.objectNode();
    var all = result.putArray("checkpoints");
    var wire = access.wire(known);
    if (wire.isEmpty()) return result;
    for (var state : access.states(wire.get()).history(thread, query)) {
      var one = all.addObject();
      one.set("id", state.path("checkpoint").path("checkpoint_id"));
      one.set("timestamp", state.path("created_at"));
      one.set("step", state.path("metadata").path("step"));
      one.set("metadata", state.path("metadata"));
    }
    return result;
  }

  /// `agent.getTree`: the graphs of a run, of the newest one if none is named.
  ObjectNode tree(Call call, String thread, Fields params) {
    var id = params.text("run_id");
    var known = thread(call, thread);
    var run =
        id.isPresent()
            ? service
                .documents()
                .<Optional<Document>>read(in -> in.find(DocumentKind.RUN, id.get()))
            : newest(known);
    var found =
        run.filter(one -> one.parent().equals(known.id()))
            .orElseThrow(() ->
                new ProtocolFailure(Code.NO_SUCH_RUN, "Thread " + thread + " has no such run."));
    var tree = new AgentTree(graph(found), status(found));
    ThreadEvents.begin(found).ifPresent(begin -> read(found, begin, tree));
    var result = JsonNodeFactory.instance.objectNode();
    result.set("tree", tree.json());
    return result;
  }

  private Optional<Document> newest(Document thread) {
    var query =
        DocumentQuery.of(DocumentKind.RUN)
            .under(thread.id())
            .by(DocumentQuery.Order.CREATED, true)
            .limit(1);
    return service.documents().read(in -> in.search(query).stream().findFirst());
  }

  private static String graph(Document run) {
    return ThreadDocuments.body(run).path("graph_id").asString("");
  }

  private static String status(Document run) {
    return switch (run.status()) {
      case RunStatus.PENDING -> "started";
      case RunStatus.RUNNING -> "running";
      case RunStatus.SUCCESS -> "completed";
      case RunStatus.INTERRUPTED -> "interrupted";
      default -> "failed";
    };
  }

  private void read(Document run, long begin, AgentTree tree) {
    var log = ThreadEvents.log(run.parent());
    long at = begin;
    while (true) {
      long from = at;
      var page = service.documents().read(in -> in.entries(log, from, PAGE));
      for (var entry : page) {
        var event = Trees.of(entry.value());
        if (event.path("run").asString("").equals(run.id()) && tree.note(event)) return;
        at = entry.offset();
      }
      if (page.size() < PAGE) return;
    }
  }
}
