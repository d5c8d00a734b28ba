package dev.superstep.server.internal.api;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.server.security.Access.Resource;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Threads: made, found, changed, copied and deleted.
public final class ThreadsResource implements dev.superstep.server.internal.api.Resource {
  private static final Map<String, DocumentQuery.Order> ORDERS =
      Map.of(
          "thread_id", DocumentQuery.Order.ID,
          "status", DocumentQuery.Order.STATUS,
          "created_at", DocumentQuery.Order.CREATED,
          "updated_at", DocumentQuery.Order.UPDATED,
          "state_updated_at", DocumentQuery.Order.UPDATED);
  private static final int PAGE = 200;

  private final Service service;
  private final ThreadAccess access;
  private final StateEdits edits;

  public ThreadsResource(Service service, ThreadAccess access, StateEdits edits) {
    this.service = service;
    this.access = access;
    this.edits = edits;
  }

  private enum IfExists {
    RAISE,
    DO_NOTHING
  }

  private enum PruneStrategy {
    DELETE,
    KEEP_LATEST
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/threads", this::create)
        .on("POST", "/threads/search", this::search)
        .on("POST", "/threads/count", this::count)
        .on("POST", "/threads/prune", this::prune)
        .on("GET", "/threads/{thread}", this::get)
        .on("PATCH", "/threads/{thread}", this::patch)
        .on("DELETE", "/threads/{thread}", this::delete)
        .on("POST", "/threads/{thread}/copy", this::copy);
  }

  private Granted granted(Call call, Action action, JsonNode value) {
    return service
        .guard()
        .check(call, new Access(Resource.THREADS, action, Trees.json(value, "body")));
  }

  // --- One thread ---

  private Reply create(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.CREATE, fields.json());
    var id = fields.text("thread_id").orElseGet(() -> UUID.randomUUID().toString());
    var metadata = granted.mark(fields.object("metadata"));
    fields.text("graph_id").ifPresent(graph -> metadata.put("graph_id", graph));
    var graph = metadata.path("graph_id").asString("");
    if (!graph.isEmpty()) metadata.put("graph_id", access.graphOf(graph));
    boolean mayExist =
        fields.choice("if_exists", IfExists.values()).equals(Optional.of(IfExists.DO_NOTHING));
    var thread =
        service
            .documents()
            .write(in -> {
              var made = ThreadDocuments.made(in, id, metadata);
              made = ThreadTtl.set(in, made, fields.any("ttl"));
              if (in.find(DocumentKind.THREAD, id).isEmpty()) {
                access.quotas().checkThread(in);
                in.insert(made);
                return made;
              }
              var known = ThreadDocuments.find(in, id);
              if (mayExist && granted.sees(ThreadDocuments.metadata(known))) return known;
              throw new HttpFailure(409, "Thread with ID " + id + " already exists");
            });
    var steps = fields.any("supersteps");
    if (!Fields.isNone(steps)) edits.supersteps(thread, steps);
    return Reply.ok(access.json(access.find(id), Set.of()));
  }

  private Reply get(Call call) {
    var granted = granted(call, Action.READ, named(call));
    var thread = access.find(call.part("thread"), granted);
    var json = access.json(thread, Set.of());
    if (isIncluded(call, "ttl")) ThreadTtl.json(thread).ifPresent(ttl -> json.set("ttl", ttl));
    return Reply.ok(json);
  }

  /// Returns whether a client asks for a field that is not always shown.
  private static boolean isIncluded(Call call, String field) {
    return call.queries("include").stream()
        .anyMatch(names -> List.of(names.split(",", -1)).contains(field));
  }

  private static ObjectNode named(Call call) {
    return JsonNodeFactory.instance.objectNode().put("thread_id", call.part("thread"));
  }

  private Reply patch(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.UPDATE, fields.json().deepCopy().setAll(named(call)));
    var id = access.find(call.part("thread"), granted).id();
    var patched =
        service
            .documents()
            .write(in -> {
              in.lock("thread/" + id);
              var thread = ThreadDocuments.find(in, id);
              var metadata = ThreadDocuments.metadata(thread);
              metadata.setAll(fields.object("metadata"));
              var changed =
                  thread.metadata(Trees.json(granted.mark(metadata), "metadata")).updated(in.now());
              changed = ThreadTtl.set(in, changed, fields.any("ttl"));
              in.replace(changed);
              return changed;
            });
    boolean isMinimal = call.header("Prefer").orElse("").contains("return=minimal");
    return isMinimal ? Reply.nothing() : Reply.ok(access.json(patched, Set.of()));
  }

  private Reply delete(Call call) {
    var granted = granted(call, Action.DELETE, named(call));
    delete(access.find(call.part("thread"), granted));
    return Reply.nothing();
  }

  private void delete(Document thread) {
    var threads = access.threads(thread);
    try {
      service
          .documents()
          .write(in -> {
            in.lock("thread/" + thread.id());
            if (!ThreadDocuments.active(in, thread.id()).isEmpty()) {
              throw new HttpFailure(
                  409, "Thread " + thread.id() + " has a run. Cancel it before you delete it.");
            }
            RunRemoval.all(in, thread.id());
            in.delete(DocumentKind.THREAD, thread.id());
            return true;
          });
      threads.delete(thread.id());
    } catch (ThreadBusy busy) {
      throw new HttpFailure(409, "Thread " + thread.id() + " is in use: " + busy.getMessage());
    }
  }

  /// Deletes the threads of an assistant that whoever calls may delete.
  void deleteOf(Call call, String assistant) {
    var wanted = JsonNodeFactory.instance.objectNode().put("assistant_id", assistant);
    var granted = granted(call, Action.DELETE, wanted);
    var query =
        DocumentQuery.of(DocumentKind.THREAD).having(Trees.json(granted.mark(wanted), "metadata"));
    for (var thread : service.documents().read(in -> in.search(query))) delete(thread);
  }

  private Reply copy(Call call) {
    var read = granted(call, Action.READ, named(call));
    var thread = access.find(call.part("thread"), read);
    var granted = granted(call, Action.CREATE, named(call));
    var id = UUID.randomUUID().toString();
    if (access.hasState(thread)) access.threads(thread).copy(thread.id(), id);
    var copy =
        service
            .documents()
            .write(in -> {
              var metadata = granted.mark(ThreadDocuments.metadata(thread));
              var status =
                  thread.status().equals(RunStatus.BUSY) ? RunStatus.IDLE : thread.status();
              access.quotas().checkThread(in);
              var made = ThreadDocuments.made(in, id, metadata).in(status).body(thread.body());
              in.insert(made);
              return made;
            });
    return Reply.ok(access.json(copy, Set.of()));
  }

  // --- Several threads ---

  private DocumentQuery query(Fields fields, Granted granted) {
    var query =
        DocumentQuery.of(DocumentKind.THREAD)
            .having(Trees.json(granted.mark(fields.object("metadata")), "metadata"));
    var status = fields.text("status");
    if (status.isPresent()) query = query.in(status.get());
    var ids = fields.texts("ids");
    if (!ids.isEmpty()) query = query.ids(Set.copyOf(ids));
    return Orders.by(query, fields, ORDERS);
  }

  private Reply search(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.SEARCH, fields.json());
    if (granted.metadata().isEmpty()) access.adoptAll();
    var page = Page.of(fields);
    var values = fields.objectIfAny("values");
    var query = query(fields, granted);
    var found =
        values.isEmpty()
            ? service
                .documents()
                .read(in -> in.search(query.limit(page.more()).offset(page.offset())))
            : withValues(query, values.get(), page);
    var select = Set.copyOf(page.select());
    var threads = new ArrayList<ObjectNode>();
    for (var thread : found) threads.add(access.json(thread, select));
    extract(fields.objectIfAny("extract"), threads);
    return page.reply(threads);
  }

  /// Threads whose values contain an object. Reads the state of each that is passed over.
  private List<Document> withValues(DocumentQuery query, ObjectNode values, Page page) {
    var found = new ArrayList<Document>();
    int skipped = 0;
    for (int offset = 0; ; offset += PAGE) {
      var from = query.limit(PAGE).offset(offset);
      var some = service.documents().read(in -> in.search(from));
      for (var thread : some) {
        if (!ThreadExtracts.contains(access.values(thread), values)) continue;
        if (skipped < page.offset()) skipped++;
        else found.add(thread);
        if (found.size() == page.more()) return found;
      }
      if (some.size() < PAGE) return found;
    }
  }

  private static void extract(Optional<ObjectNode> wanted, List<ObjectNode> threads) {
    if (wanted.isEmpty()) return;
    for (var thread : threads) {
      thread.set("extracted", ThreadExtracts.of(thread, wanted.get()));
    }
  }

  private Reply count(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.SEARCH, fields.json());
    var query = query(fields, granted);
    var values = fields.objectIfAny("values");
    long count =
        values.isEmpty()
            ? service.documents().read(in -> in.count(query))
            : withValues(query, values.get(), new Page(Integer.MAX_VALUE - 1, 0, List.of())).size();
    return Reply.ok(JsonNodeFactory.instance.numberNode(count));
  }

  private Reply prune(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.DELETE, fields.json());
    var strategy = fields.choice("strategy", PruneStrategy.values()).orElse(PruneStrategy.DELETE);
    int pruned = 0;
    for (var id : fields.texts("thread_ids")) {
      var known = service.documents().read(in -> in.find(DocumentKind.THREAD, id));
      if (known.isEmpty() || !granted.sees(ThreadDocuments.metadata(known.get()))) continue;
      if (strategy == PruneStrategy.DELETE) delete(known.get());
      else access.threads(known.get()).prune(id, dev.superstep.checkpoint.Prune.keepLast(1));
      pruned++;
    }
    return Reply.ok(JsonNodeFactory.instance.objectNode().put("pruned_count", pruned));
  }
}
