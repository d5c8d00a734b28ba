package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceTransaction;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Assistants: graphs with configurations, in versions.
public final class AssistantsResource implements Resource {
  private static final Map<String, DocumentQuery.Order> ORDERS =
      Map.of(
          "assistant_id", DocumentQuery.Order.ID,
          "graph_id", DocumentQuery.Order.PARENT,
          "name", DocumentQuery.Order.LABEL,
          "created_at", DocumentQuery.Order.CREATED,
          "updated_at", DocumentQuery.Order.UPDATED);
  private static final int XRAY_ALL = 50;
  private static final int VERSIONS_MAX = 1_000;

  private final Service service;
  private final RunService runs;
  private final ThreadsResource threads;

  public AssistantsResource(Service service, RunService runs, ThreadsResource threads) {
    this.service = service;
    this.runs = runs;
    this.threads = threads;
  }

  private enum IfExists {
    RAISE,
    DO_NOTHING
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/assistants", this::create)
        .on("POST", "/assistants/search", this::search)
        .on("POST", "/assistants/count", this::count)
        .on("GET", "/assistants/{assistant}", call -> Reply.ok(Assistants.json(read(call))))
        .on("PATCH", "/assistants/{assistant}", this::patch)
        .on("DELETE", "/assistants/{assistant}", this::delete)
        .on("GET", "/assistants/{assistant}/graph", this::graph)
        .on("GET", "/assistants/{assistant}/schemas", call -> Reply.ok(wire(call).schemas()))
        .on("GET", "/assistants/{assistant}/subgraphs", call -> subgraphs(call, Optional.empty()))
        .on(
            "GET",
            "/assistants/{assistant}/subgraphs/{namespace}",
            call -> subgraphs(call, Optional.of(call.part("namespace"))))
        .on("POST", "/assistants/{assistant}/versions", this::versions)
        .on("POST", "/assistants/{assistant}/latest", this::latest);
  }

  private Granted granted(Call call, Action action, JsonNode value) {
    return service
        .guard()
        .check(call, new Access(Access.Resource.ASSISTANTS, action, Trees.json(value, "body")));
  }

  private Document find(Call call, Granted granted) {
    return service.documents().read(in -> find(in, call, granted));
  }

  private Document find(ServiceTransaction in, Call call, Granted granted) {
    var id = call.part("assistant");
    var found = Assistants.find(in, id, runs.wires()::containsKey);
    var metadata = ThreadDocuments.metadata(found);
    // What a graph has by itself belongs to nobody.
    boolean isSystem = metadata.path("created_by").asString("").equals("system");
    if (isSystem || granted.sees(metadata)) return found;
    throw Assistants.unknown(id);
  }

  private static ObjectNode named(Call call) {
    return JsonNodeFactory.instance.objectNode().put("assistant_id", call.part("assistant"));
  }

  private Document read(Call call) {
    return find(call, granted(call, Action.READ, named(call)));
  }

  private GraphWire wire(Call call) {
    return runs.wire(read(call).parent());
  }

  // --- One assistant ---

  private Reply create(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.CREATE, fields.json());
    var graph = runs.wire(fields.required("graph_id")).served().id();
    var id = fields.text("assistant_id").orElseGet(() -> UUID.randomUUID().toString());
    boolean mayExist =
        fields.choice("if_exists", IfExists.values()).equals(Optional.of(IfExists.DO_NOTHING));
    var saved =
        service
            .documents()
            .write(in -> {
              var made =
                  Document.of(DocumentKind.ASSISTANT, id, in.now())
                      .under(graph)
                      .labelled(fields.text("name").orElse("Untitled"))
                      .metadata(Trees.json(granted.mark(fields.object("metadata")), "metadata"))
                      .body(Trees.json(body(fields, 1), "assistant"));
              if (in.insert(made)) {
                keepVersion(in, made);
                return made;
              }
              var known = in.find(DocumentKind.ASSISTANT, id).orElseThrow();
              if (mayExist && granted.sees(ThreadDocuments.metadata(known))) return known;
              throw new HttpFailure(409, "Assistant with ID " + id + " already exists");
            });
    return Reply.ok(Assistants.json(saved));
  }

  private static ObjectNode body(Fields fields, int version) {
    var body = JsonNodeFactory.instance.objectNode();
    body.set("config", fields.object("config"));
    body.set("context", fields.object("context"));
    body.put("version", version);
    fields.text("description").ifPresent(text -> body.put("description", text));
    return body;
  }

  private static void keepVersion(ServiceTransaction in, Document assistant) {
    int version = ThreadDocuments.body(assistant).path("version").asInt(1);
    in.insert(
        new Document(
            DocumentKind.ASSISTANT_VERSION,
            assistant.id() + "/" + version,
            assistant.id(),
            assistant.label(),
            assistant.parent(),
            Optional.empty(),
            in.now(),
            in.now(),
            assistant.metadata(),
            assistant.body()));
  }

  private Reply patch(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.UPDATE, fields.json().deepCopy().setAll(named(call)));
    var saved = service.documents().write(in -> patched(in, call, fields, granted));
    return Reply.ok(Assistants.json(saved));
  }

  private Document patched(ServiceTransaction in, Call call, Fields fields, Granted granted) {
    var known = find(in, call, granted);
    // Read for a change, so that nobody else changes it meanwhile.
    known = in.find(DocumentKind.ASSISTANT, known.id()).orElseThrow();
    keepVersion(in, known);
    var body = ThreadDocuments.body(known);
    fields.objectIfAny("config").ifPresent(config -> body.set("config", config));
    fields.objectIfAny("context").ifPresent(context -> body.set("context", context));
    fields.text("description").ifPresent(text -> body.put("description", text));
    body.put("version", newest(in, known.id()) + 1);
    var metadata = ThreadDocuments.metadata(known);
    metadata.setAll(fields.object("metadata"));
    var graph =
        fields.text("graph_id").map(id -> runs.wire(id).served().id()).orElse(known.parent());
    var changed =
        known
            .under(graph)
            .labelled(fields.text("name").orElse(known.label()))
            .metadata(Trees.json(granted.mark(metadata), "metadata"))
            .body(Trees.json(body, "assistant"))
            .updated(in.now());
    in.replace(changed);
    keepVersion(in, changed);
    return changed;
  }

  private static int newest(ServiceTransaction in, String assistant) {
    int newest = 1;
    for (var version : in.search(versions(assistant))) {
      newest = Math.max(newest, ThreadDocuments.body(version).path("version").asInt(1));
    }
    return newest;
  }

  private static DocumentQuery versions(String assistant) {
    return DocumentQuery.of(DocumentKind.ASSISTANT_VERSION).under(assistant).limit(VERSIONS_MAX);
  }

  private Reply delete(Call call) throws InterruptedException {
    var granted = granted(call, Action.DELETE, named(call));
    var known = find(call, granted);
    if (known.id().equals(Assistants.idOf(known.parent()))) {
      throw new HttpFailure(
          409, "Assistant " + known.id() + " is that of its graph and cannot be deleted.");
    }
    boolean isWithThreads =
        call.query("delete_threads").map(value -> value.equals("true")).orElse(false);
    if (isWithThreads) threads.deleteOf(call, known.id());
    service
        .documents()
        .write(in -> {
          for (var version : in.search(versions(known.id()))) {
            in.delete(DocumentKind.ASSISTANT_VERSION, version.id());
          }
          return in.delete(DocumentKind.ASSISTANT, known.id());
        });
    return Reply.nothing();
  }

  // --- Versions ---

  private Reply versions(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.READ, named(call));
    var known = find(call, granted);
    var page = Page.of(fields);
    var query =
        versions(known.id())
            .having(Trees.json(fields.object("metadata"), "metadata"))
            .by(DocumentQuery.Order.CREATED, true)
            .limit(page.more())
            .offset(page.offset());
    var all = new ArrayList<ObjectNode>();
    for (var version : service.documents().read(in -> in.search(query))) {
      all.add(asVersion(known, version));
    }
    if (all.isEmpty() && page.offset() == 0) all.add(Assistants.json(known));
    return page.reply(all);
  }

  private static ObjectNode asVersion(Document assistant, Document version) {
    var json =
        Assistants.json(
            assistant
                .under(version.status())
                .labelled(version.label())
                .metadata(version.metadata())
                .body(version.body()));
    return json.put("updated_at", version.created().toString());
  }

  private Reply latest(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.UPDATE, fields.json());
    int version =
        fields
            .number("version", 1, Integer.MAX_VALUE)
            .orElseThrow(() -> Fields.bad("version", "is missing"));
    var saved =
        service
            .documents()
            .write(in -> {
              var known = find(in, call, granted);
              var id = known.id() + "/" + version;
              var wanted =
                  in.find(DocumentKind.ASSISTANT_VERSION, id)
                      .orElseThrow(() ->
                          new HttpFailure(
                              404, "Assistant " + known.id() + " has no version " + version + "."));
              var changed =
                  known
                      .under(wanted.status())
                      .labelled(wanted.label())
                      .metadata(wanted.metadata())
                      .body(wanted.body())
                      .updated(in.now());
              in.replace(changed);
              return changed;
            });
    return Reply.ok(Assistants.json(saved));
  }

  // --- Several assistants ---

  private DocumentQuery query(Fields fields, Granted granted) {
    var query =
        DocumentQuery.of(DocumentKind.ASSISTANT)
            .having(Trees.json(granted.mark(fields.object("metadata")), "metadata"))
            .labelPart(fields.text("name").orElse(""));
    var graph = fields.text("graph_id");
    if (graph.isPresent()) query = query.under(graph.get());
    return Orders.by(query, fields, ORDERS);
  }

  private Reply search(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.SEARCH, fields.json());
    var page = Page.of(fields);
    var query = query(fields, granted).limit(page.more()).offset(page.offset());
    var all = new ArrayList<ObjectNode>();
    for (var one : service.documents().read(in -> in.search(query))) all.add(Assistants.json(one));
    return page.reply(all);
  }

  private Reply count(Call call) {
    var fields = Fields.of(call.body());
    var query = query(fields, granted(call, Action.SEARCH, fields.json()));
    long count = service.documents().read(in -> in.count(query));
    return Reply.ok(JsonNodeFactory.instance.numberNode(count));
  }

  // --- Graphs ---

  private Reply graph(Call call) {
    return Reply.ok(wire(call).graph(xray(call.query("xray").orElse("false"))));
  }

  private static int xray(String text) {
    if (text.equals("true")) return XRAY_ALL;
    if (text.equals("false")) return 0;
    try {
      int levels = Integer.parseInt(text);
      if (levels >= 0 && levels <= XRAY_ALL) return levels;
    } catch (NumberFormatException _) {
      // Refused below.
    }
    throw new HttpFailure(422, "Parameter `xray` must be true, false or a number up to 50.");
  }

  private Reply subgraphs(Call call, Optional<String> namespace) {
    boolean recurses = call.query("recurse").map(value -> value.equals("true")).orElse(false);
    return Reply.ok(wire(call).subgraphs(namespace, recurses));
  }
}
