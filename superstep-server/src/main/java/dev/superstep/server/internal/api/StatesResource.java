package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.wire.CheckpointRef;
import dev.superstep.server.internal.wire.HistoryQuery;
import dev.superstep.server.internal.wire.RunMetadata;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.service.Document;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The states of threads: read, edited and listed.
public final class StatesResource implements Resource {
  private static final int LIMIT = 10;
  private static final int LIMIT_MAX = 1_000;

  private final Service service;
  private final ThreadAccess access;
  private final StateEdits edits;

  public StatesResource(Service service, ThreadAccess access, StateEdits edits) {
    this.service = service;
    this.access = access;
    this.edits = edits;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("GET", "/threads/{thread}/state", this::latest)
        .on("POST", "/threads/{thread}/state", this::update)
        .on("PATCH", "/threads/{thread}/state", this::patch)
        .on("POST", "/threads/{thread}/state/checkpoint", this::atCheckpoint)
        .on("GET", "/threads/{thread}/state/{checkpoint}", this::atId)
        .on("GET", "/threads/{thread}/history", this::historyByQuery)
        .on("POST", "/threads/{thread}/history", this::history);
  }

  private Document thread(Call call, Action action, JsonNode body) {
    var value = JsonNodeFactory.instance.objectNode();
    if (body instanceof ObjectNode object) value.setAll(object);
    value.put("thread_id", call.part("thread"));
    var granted =
        service
            .guard()
            .check(call, new Access(Access.Resource.THREADS, action, Trees.json(value, "body")));
    return access.find(call.part("thread"), granted);
  }

  private Document read(Call call) {
    return thread(call, Action.READ, JsonNodeFactory.instance.missingNode());
  }

  // --- Reading ---

  private static boolean isTrue(Call call, String name) {
    return call.query(name).map(value -> value.equals("true") || value.equals("1")).orElse(false);
  }

  private Reply latest(Call call) {
    var thread = read(call);
    var wire = access.wire(thread);
    if (wire.isEmpty()) return Reply.ok(nothing(thread));
    return Reply.ok(access.states(wire.get()).latest(thread.id(), isTrue(call, "subgraphs")));
  }

  /// The state of a thread that has no graph yet.
  private static ObjectNode nothing(Document thread) {
    var state = JsonNodeFactory.instance.objectNode();
    state.putObject("values");
    state.putArray("next");
    state.putArray("tasks");
    state.putNull("checkpoint");
    state.set("metadata", ThreadDocuments.metadata(thread));
    state.putNull("created_at");
    state.putNull("parent_checkpoint");
    state.putArray("interrupts");
    return state;
  }

  private Reply atId(Call call) {
    var thread = read(call);
    return at(thread, CheckpointRef.of(call.part("checkpoint")), isTrue(call, "subgraphs"));
  }

  private Reply atCheckpoint(Call call) {
    var fields = Fields.of(call.body());
    var thread = thread(call, Action.READ, fields.json());
    var ref = CheckpointRef.read(fields.object("checkpoint"));
    return at(thread, ref, fields.flag("subgraphs", false));
  }

  private Reply at(Document thread, CheckpointRef ref, boolean subgraphs) {
    var state = access.states(access.graph(thread)).at(thread.id(), ref, subgraphs);
    return Reply.ok(
        state.orElseThrow(() ->
            new HttpFailure(404, "There is no such checkpoint on thread " + thread.id() + ".")));
  }

  private Reply historyByQuery(Call call) {
    var body = QueryFields.of(call, "limit");
    call.query("before").ifPresent(id -> body.put("before", id));
    return history(read(call), new Fields(body));
  }

  private Reply history(Call call) {
    var fields = Fields.of(call.body());
    return history(thread(call, Action.READ, fields.json()), fields);
  }

  private Reply history(Document thread, Fields fields) {
    var before = fields.any("before");
    var checkpoint = fields.objectIfAny("checkpoint");
    var query =
        new HistoryQuery(
            fields.number("limit", 1, LIMIT_MAX).orElse(LIMIT),
            Fields.isNone(before) ? Optional.empty() : CheckpointRef.read(before).id(),
            RunMetadata.stored(fields.any("metadata")),
            checkpoint.map(CheckpointRef::read).orElse(CheckpointRef.newest()));
    var wire = access.wire(thread);
    var states =
        wire.isEmpty()
            ? List.<ObjectNode>of()
            : access.states(wire.get()).history(thread.id(), query);
    var list = JsonNodeFactory.instance.arrayNode();
    states.forEach(list::add);
    return Reply.ok(list);
  }

  // --- Changing ---

  private Reply update(Call call) {
    var fields = Fields.of(call.body());
    var thread = thread(call, Action.UPDATE, fields.json());
    var named = fields.objectIfAny("checkpoint").map(CheckpointRef::read);
    var ref =
        named
            .or(() -> fields.text("checkpoint_id").map(CheckpointRef::of))
            .orElse(CheckpointRef.newest());
    var made =
        edits.edit(thread, new StateEdits.Edit(fields.any("values"), fields.text("as_node"), ref));
    var reply = JsonNodeFactory.instance.objectNode();
    reply.set("checkpoint", made);
    reply.set("configurable", made);
    return Reply.ok(reply);
  }

  /// Changes the metadata of the thread, which is where clients look for it.
  private Reply patch(Call call) {
    var fields = Fields.of(call.body());
    var thread = thread(call, Action.UPDATE, fields.json());
    service
        .documents()
        .write(in -> {
          var now = ThreadDocuments.find(in, thread.id());
          var metadata = ThreadDocuments.metadata(now);
          metadata.setAll(fields.object("metadata"));
          return in.replace(now.metadata(Trees.json(metadata, "metadata")).updated(in.now()));
        });
    return Reply.nothing();
  }
}
