package dev.superstep.server.internal.schedule;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Schedules of runs, as clients make and change them. Safe for many threads.
public final class Crons {
  // More of them are no schedule of people any more, but a flood.
  private static final int CRONS_MAX = 10_000;

  private final ServiceStore store;
  private final Guard guard;
  private final RunStarter starter;

  public Crons(ServiceStore store, Guard guard, RunStarter starter) {
    this.store = store;
    this.guard = guard;
    this.starter = starter;
  }

  /// Makes a schedule.
  ///
  /// @param thread where its runs are; empty for a thread of its own for each
  public Reply create(Call call, Optional<String> thread) {
    var request = call.body();
    var cron = Cron.asked(request, call.principal().id());
    var granted = check(call, Access.Action.CREATE, request);
    var admitted = starter.check(call, thread, request);
    var metadata = Trees.json(granted.mark(request.path("metadata")), "metadata");
    var made =
        store.write(in -> {
          in.lock(Scheduler.TOPIC);
          checkRoom(in);
          var document =
              Document.of(DocumentKind.CRON, UUID.randomUUID().toString(), in.now())
                  .under(thread.orElse(""))
                  .labelled(admitted.assistant())
                  .metadata(metadata);
          return saved(in, cron.seeing(admitted.visible()), document);
        });
    return Reply.ok(Cron.json(made));
  }

  private static void checkRoom(ServiceTransaction in) {
    var all = DocumentQuery.of(DocumentKind.CRON);
    if (in.count(all) < CRONS_MAX) return;
    throw new HttpFailure(
        429, "There are %,d crons already; delete some first.".formatted(CRONS_MAX));
  }

  private static Document saved(ServiceTransaction in, Cron cron, Document document) {
    var saved = cron.in(document, in.now());
    if (!in.replace(saved)) in.insert(saved);
    in.signal(Scheduler.TOPIC);
    return saved;
  }

  /// Changes a schedule.
  public Reply update(Call call) {
    if (!(call.body() instanceof ObjectNode changes)) {
      throw new HttpFailure(422, "The body must be an object.");
    }
    var granted = check(call, Access.Action.UPDATE, about(call, changes));
    var id = call.part("cron");
    var before = store.read(in -> seen(in, id, granted));
    var assistant = assistant(call, before, changes);
    var after =
        store.write(in -> {
          var document = seen(in, id, granted);
          var changed = Cron.of(document).with(changes);
          return saved(in, changed, described(document, changes, granted).labelled(assistant));
        });
    return Reply.ok(Cron.json(after));
  }

  /// The assistant of a changed schedule, checked again only if it is another one.
  private String assistant(Call call, Document before, ObjectNode changes) {
    if (!changes.has("assistant_id")) return before.label();
    var thread = Optional.of(before.parent()).filter(id -> !id.isEmpty());
    return starter.check(call, thread, changes).assistant();
  }

  private static Document described(Document document, ObjectNode changes, Granted granted) {
    if (!(changes.path("metadata") instanceof ObjectNode more)) return document;
    var all = (ObjectNode) Trees.of(document.metadata());
    all.setAll(more);
    return document.metadata(Trees.json(granted.mark(all), "metadata"));
  }

  /// Deletes a schedule.
  public Reply delete(Call call) {
    var granted = check(call, Access.Action.DELETE, about(call, call.body()));
    store.write(in -> {
      var document = seen(in, call.part("cron"), granted);
      return in.delete(DocumentKind.CRON, document.id());
    });
    return Reply.nothing();
  }

  /// Finds schedules.
  public Reply search(Call call) {
    var granted = check(call, Access.Action.SEARCH, call.body());
    var search = CronSearch.of(call.body(), granted.mark(call.body().path("metadata")));
    var found =
        store.<Found>read(in -> new Found(in.search(search.query()), in.count(search.query())));
    var list = JsonNodeFactory.instance.arrayNode();
    for (var document : found.crons()) list.add(search.cut(Cron.json(document)));
    long end = (long) search.query().offset() + found.crons().size();
    var reply = Reply.ok(list).with("X-Pagination-Total", Long.toString(found.total()));
    return end < found.total() ? reply.with("X-Pagination-Next", Long.toString(end)) : reply;
  }

  private record Found(List<Document> crons, long total) {}

  /// Counts schedules.
  public Reply count(Call call) {
    var granted = check(call, Access.Action.SEARCH, call.body());
    var search = CronSearch.of(call.body(), granted.mark(call.body().path("metadata")));
    long count = store.read(in -> in.count(search.query()));
    return Reply.ok(JsonNodeFactory.instance.numberNode(count));
  }

  private static Document seen(ServiceTransaction in, String id, Granted granted) {
    return in.find(DocumentKind.CRON, id)
        .filter(document -> granted.sees(Trees.of(document.metadata())))
        .orElseThrow(() -> new HttpFailure(404, "There is no cron `" + id + "`."));
  }

  private static ObjectNode about(Call call, JsonNode body) {
    var about = JsonNodeFactory.instance.objectNode();
    if (body instanceof ObjectNode fields) about.setAll(fields);
    return about.put("cron_id", call.part("cron"));
  }

  private Granted check(Call call, Access.Action action, JsonNode value) {
    var shown = value.isMissingNode() ? JsonNodeFactory.instance.objectNode() : value;
    return guard.check(
        call, new Access(Access.Resource.CRONS, action, Trees.json(shown, "the body")));
  }
}
