package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.Assistants;
import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.StreamMode;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Runs: made, streamed, awaited, listed, cancelled and deleted.
public final class RunsResource implements Resource {
  private static final String CANCELS = "cancel_on_disconnect";
  private static final int BATCH_MAX = 100;
  private static final Set<String> ACTIONS = Set.of("interrupt", "rollback");

  private final Service service;
  private final ThreadAccess access;
  private final RunService runs;
  private final RunCreation creation;

  public RunsResource(Service service, ThreadAccess access, RunService runs) {
    this.service = service;
    this.creation = new RunCreation(service, access, runs);
    this.access = access;
    this.runs = runs;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/runs", call -> background(call, threadInBody(call)))
        .on("POST", "/runs/stream", call -> streamed(call, threadInBody(call)))
        .on("POST", "/runs/wait", call -> awaited(call, threadInBody(call)))
        .on("POST", "/runs/search", this::search)
        .on("POST", "/runs/batch", this::batch)
        .on("POST", "/runs/cancel", this::cancelAll)
        .on("GET", "/runs/{run}", this::get)
        .on("DELETE", "/runs/{run}", this::delete)
        .on("POST", "/runs/{run}/cancel", this::cancel)
        .on("GET", "/runs/{run}/stream", this::joinStream)
        .on("GET", "/runs/{run}/join", this::join)
        .on("GET", "/runs/{run}/wait", this::join)
        .on("POST", "/threads/{thread}/runs", call -> background(call, thread(call)))
        .on("GET", "/threads/{thread}/runs", this::list)
        .on("POST", "/threads/{thread}/runs/stream", call -> streamed(call, thread(call)))
        .on("POST", "/threads/{thread}/runs/wait", call -> awaited(call, thread(call)))
        .on("GET", "/threads/{thread}/runs/{run}", this::get)
        .on("DELETE", "/threads/{thread}/runs/{run}", this::delete)
        .on("POST", "/threads/{thread}/runs/{run}/cancel", this::cancel)
        .on("GET", "/threads/{thread}/runs/{run}/join", this::join)
        .on("GET", "/threads/{thread}/runs/{run}/stream", this::joinStream)
        .on("GET", "/threads/{thread}/stream", this::joinThread);
  }

  private static Optional<String> thread(Call call) {
    return Optional.of(call.part("thread"));
  }

  /// The neutral protocol names the thread in the body.
  private static Optional<String> threadInBody(Call call) {
    return Fields.of(call.body()).text("thread_id");
  }

  // --- Making ---

  private Granted granted(Call call, Action action, JsonNode value) {
    return service
        .guard()
        .check(call, new Access(Access.Resource.THREADS, action, Trees.json(value, "body")));
  }

  private static String place(Document run, boolean isStateless) {
    return isStateless ? "/runs/" + run.id() : "/threads/" + run.parent() + "/runs/" + run.id();
  }

  private Reply background(Call call, Optional<String> thread) {
    var run = creation.create(call, call.body(), thread);
    return Reply.ok(RunDocuments.json(run)).with("Content-Location", place(run, thread.isEmpty()));
  }

  private Reply streamed(Call call, Optional<String> thread) {
    var run = creation.create(call, call.body(), thread);
    var request = RunRequest.of(call.body());
    var source = runs.stream(run.id(), Optional.of("-1"), Set.of(), request.cancelsOnDisconnect());
    return new Reply.Events(source, Map.of())
        .with("Content-Location", place(run, thread.isEmpty()))
        .with("Location", place(run, thread.isEmpty()) + "/stream");
  }

  private Reply awaited(Call call, Optional<String> thread) {
    var run = creation.create(call, call.body(), thread);
    var request = RunRequest.of(call.body());
    return new Reply.Later(
            () -> {
              try {
                return output(run.id(), true);
              } catch (InterruptedException gone) {
                if (request.cancelsOnDisconnect()) runs.cancel(run.id(), "interrupt");
                throw gone;
              }
            },
            Map.of())
        .with("Content-Location", place(run, thread.isEmpty()));
  }

  private Reply batch(Call call) {
    var bodies = call.body();
    if (!bodies.isArray() || bodies.size() > BATCH_MAX) {
      throw new HttpFailure(422, "The body must be a list of at most " + BATCH_MAX + " runs.");
    }
    // All of them are checked before the first one begins.
    for (var body : bodies) {
      var _ = RunRequest.of(body);
    }
    var all = JsonNodeFactory.instance.arrayNode();
    for (var body : bodies) {
      var thread = Fields.of(body).text("thread_id");
      all.add(RunDocuments.json(creation.create(call, body, thread)));
    }
    return Reply.ok(all);
  }

  // --- Waiting ---

  /// The final values of a run, once it has ended.
  ///
  /// @param showsError whether a failure is what is returned, and not the values that are left
  private JsonNode output(String run, boolean showsError) throws InterruptedException {
    var ended = runs.join(run);
    if (ended.isEmpty()) return JsonNodeFactory.instance.objectNode();
    var body = ThreadDocuments.body(ended.get());
    if (showsError && body.has("error")) {
      var failed = JsonNodeFactory.instance.objectNode();
      failed.set("__error__", body.get("error"));
      return failed;
    }
    if (body.has("output")) return body.get("output");
    // Its thread may be gone.
    if (RunDocuments.dropsThread(ended.get())) return JsonNodeFactory.instance.objectNode();
    return access.output(ended.get().parent());
  }

  private Reply join(Call call) {
    boolean cancels = isTrue(call, CANCELS);
    var run = find(call, joining(cancels));
    return new Reply.Later(
        () -> {
          try {
            return output(run.id(), false);
          } catch (InterruptedException gone) {
            if (cancels) runs.cancel(run.id(), "interrupt");
            throw gone;
          }
        },
        Map.of());
  }

  /// Who would end a run by leaving must be one who may end it.
  private static Action joining(boolean cancels) {
    return cancels ? Action.UPDATE : Action.READ;
  }

  private static boolean isTrue(Call call, String name) {
    return call.query(name).map(value -> value.equals("true") || value.equals("1")).orElse(false);
  }

  private Reply joinStream(Call call) {
    boolean cancels = isTrue(call, CANCELS);
    var run = find(call, joining(cancels));
    var source = runs.stream(run.id(), call.header("Last-Event-ID"), modes(call), cancels);
    return new Reply.Events(source, Map.of())
        .with("Content-Location", call.path().replaceFirst("/stream$", ""))
        .with("Location", call.path());
  }

  private Reply joinThread(Call call) {
    var granted = granted(call, Action.READ, named(call));
    var thread = access.find(call.part("thread"), granted);
    return new Reply.Events(
        runs.streamThread(thread.id(), call.header("Last-Event-ID"), modes(call)), Map.of());
  }

  private static Set<StreamMode> modes(Call call) {
    var names = JsonNodeFactory.instance.arrayNode();
    for (var value : call.queries("stream_mode")) {
      for (var name : value.split(",", -1)) if (!name.isBlank()) names.add(name.strip());
    }
    // Threads are also read by names that are no modes of runs.
    names.removeIf(name -> name.asString("").equals("run_modes"));
    return names.isEmpty() ? Set.of() : StreamMode.read(names);
  }

  // --- Reading ---

  private static ObjectNode named(Call call) {
    return JsonNodeFactory.instance.objectNode().put("thread_id", call.part("thread"));
  }

  private Document find(Call call, Action action) {
    var id = call.part("run");
    var run =
        service
            .documents()
            .read(in -> in.find(DocumentKind.RUN, id))
            .orElseThrow(() -> RunDocuments.unknown(id));
    var value = JsonNodeFactory.instance.objectNode();
    value.put("thread_id", run.parent()).put("run_id", id);
    var granted = granted(call, action, value);
    boolean isThere = !call.path().startsWith("/threads/") || isOf(call, run);
    if (!isThere || !granted.sees(metadata(run, granted))) throw RunDocuments.unknown(id);
    return run;
  }

  /// The metadata by which a run is seen: that of its thread, unless that may be gone already.
  private ObjectNode metadata(Document run, Granted granted) {
    return RunDocuments.dropsThread(run)
        ? ThreadDocuments.metadata(run)
        : ThreadDocuments.metadata(access.find(run.parent(), granted));
  }

  private static boolean isOf(Call call, Document run) {
    return call.part("thread").equals(run.parent());
  }

  private Reply get(Call call) {
    return Reply.ok(RunDocuments.json(find(call, Action.READ)));
  }

  private Reply list(Call call) {
    var granted = granted(call, Action.READ, named(call));
    var thread = access.find(call.part("thread"), granted);
    var page = Page.of(Fields.of(QueryFields.of(call, "limit", "offset")));
    var query =
        DocumentQuery.of(DocumentKind.RUN)
            .under(thread.id())
            .limit(page.more())
            .offset(page.offset());
    var status = call.query("status");
    var found =
        service
            .documents()
            .read(in -> in.search(status.isPresent() ? query.in(status.get()) : query));
    var all = new ArrayList<ObjectNode>();
    for (var run : found) all.add(RunDocuments.json(run));
    return new Page(page.limit(), page.offset(), call.queries("select")).reply(all);
  }

  /// The orders of a search, the newest first.
  private enum RunOrder {
    CREATED_AT(DocumentQuery.Order.CREATED),
    UPDATED_AT(DocumentQuery.Order.UPDATED);

    private final DocumentQuery.Order order;

    RunOrder(DocumentQuery.Order order) {
      this.order = order;
    }
  }

  /// Runs of a thread, or of all threads that may be seen.
  private Reply search(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.SEARCH, fields.json());
    var page = Page.of(fields);
    var query =
        DocumentQuery.of(DocumentKind.RUN)
            .having(Trees.json(granted.mark(fields.object("metadata")), "metadata"));
    var thread = fields.text("thread_id");
    if (thread.isPresent()) query = query.under(thread.get());
    var status = fields.text("status");
    if (status.isPresent()) query = query.in(status.get());
    var agent = fields.text("agent_id");
    if (agent.isPresent()) {
      var known =
          service
              .documents()
              .read(in -> Assistants.find(in, agent.get(), runs.wires()::containsKey));
      query = query.labelled(known.id());
    }
    var order = fields.choice("sort_by", RunOrder.values()).orElse(RunOrder.CREATED_AT).order;
    var wanted = query.by(order, true).limit(page.more()).offset(page.offset());
    var all = new ArrayList<ObjectNode>();
    for (var run : service.documents().read(in -> in.search(wanted))) {
      all.add(RunDocuments.json(run));
    }
    return page.reply(all);
  }

  // --- Ending ---

  private Reply delete(Call call) {
    runs.delete(find(call, Action.DELETE).id());
    return Reply.nothing();
  }

  private static String action(Call call) {
    var action = call.query("action").orElse("interrupt");
    if (ACTIONS.contains(action)) return action;
    throw new HttpFailure(422, "Parameter `action` must be one of " + ACTIONS + ".");
  }

  private Reply cancel(Call call) {
    var action = action(call);
    var run = find(call, Action.UPDATE);
    runs.cancel(run.id(), action);
    if (!isTrue(call, "wait")) return new Reply.Empty(202, Map.of());
    try {
      var _ = runs.join(run.id());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HttpFailure(503, "The server ends.").with("Retry-After", "1");
    }
    return Reply.nothing();
  }

  private Reply cancelAll(Call call) {
    var action = action(call);
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.UPDATE, fields.json());
    for (var run : chosen(fields)) {
      var thread = access.find(run.parent(), granted);
      if (granted.sees(ThreadDocuments.metadata(thread))) runs.cancel(run.id(), action);
    }
    return Reply.nothing();
  }

  private List<Document> chosen(Fields fields) {
    var status = fields.text("status").orElse("");
    var query = DocumentQuery.of(DocumentKind.RUN);
    var thread = fields.text("thread_id");
    if (thread.isPresent()) query = query.under(thread.get());
    var ids = fields.texts("run_ids");
    if (!ids.isEmpty()) query = query.ids(Set.copyOf(ids));
    query =
        switch (status) {
          case "", "all" -> query.in(RunStatus.PENDING, RunStatus.RUNNING);
          case RunStatus.PENDING, RunStatus.RUNNING -> query.in(status);
          default -> throw Fields.bad("status", "must be pending, running or all");
        };
    if (status.isEmpty() && ids.isEmpty()) {
      throw new HttpFailure(422, "Name the runs by `run_ids`, or say which ones by `status`.");
    }
    var wanted = query;
    return service.documents().read(in -> in.search(wanted));
  }
}
