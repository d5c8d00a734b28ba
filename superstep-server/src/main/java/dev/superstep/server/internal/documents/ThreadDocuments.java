package dev.superstep.server.internal.documents;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceTransaction;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The documents of threads: what clients know of them beside their states.
public final class ThreadDocuments {
  /// The longest name of a thread.
  public static final int ID_MAX = 200;

  private ThreadDocuments() {}

  /// The name under which transactions that decide on a thread's runs take each other's turn.
  public static String lock(String thread) {
    return "thread/" + thread;
  }

  /// The topic that is signalled when a run of a thread begins or ends.
  public static String topic(String thread) {
    return "thread/" + thread;
  }

  /// A new thread.
  ///
  /// @throws HttpFailure 422 if no thread can have this id
  public static Document made(ServiceTransaction in, String id, ObjectNode metadata) {
    check(id);
    return Document.of(DocumentKind.THREAD, id, in.now())
        .in(RunStatus.IDLE)
        .metadata(Trees.json(metadata, "metadata"));
  }

  private static void check(String id) {
    boolean isName = !id.isBlank() && id.length() <= ID_MAX;
    for (int i = 0; i < id.length() && isName; i++) isName = id.charAt(i) > ' ';
    if (isName) return;
    throw new HttpFailure(
        422, "thread_id must have 1 to " + ID_MAX + " characters, without blanks.");
  }

  /// The failure that a thread does not exist.
  public static HttpFailure unknown(String thread) {
    return new HttpFailure(404, "Thread with ID " + thread + " not found");
  }

  /// Finds a thread, for a change in the transaction.
  ///
  /// @throws HttpFailure 404 if there is none
  public static Document find(ServiceTransaction in, String thread) {
    return in.find(DocumentKind.THREAD, thread).orElseThrow(() -> unknown(thread));
  }

  /// The runs of a thread that are still to end, the oldest first.
  public static List<Document> active(ServiceTransaction in, String thread) {
    return in.search(
        DocumentQuery.of(DocumentKind.RUN)
            .under(thread)
            .in(RunStatus.PENDING, RunStatus.RUNNING)
            .by(DocumentQuery.Order.CREATED, false));
  }

  /// Sets what the end of a run, or an edit, leaves of a thread.
  ///
  /// @param status the thread's, unless it has more runs
  /// @param interrupts the open questions by task
  /// @param error of the run that failed
  /// @return whether it has more runs
  public static boolean settle(
      ServiceTransaction in,
      String thread,
      String status,
      ObjectNode interrupts,
      Optional<JsonNode> error) {
    var known = in.find(DocumentKind.THREAD, thread);
    if (known.isEmpty()) return false;
    var body = body(known.get());
    body.set("interrupts", interrupts);
    body.remove("error");
    error.ifPresent(e -> body.set("error", e));
    body.put("state_updated_at", in.now().toString());
    body.put("resting", status);
    boolean hasMore = !active(in, thread).isEmpty();
    var now = hasMore ? RunStatus.BUSY : status;
    in.replace(known.get().in(now).updated(in.now()).body(Trees.json(body, "thread")));
    in.signal(topic(thread));
    return hasMore;
  }

  /// Sets the status after a run of the thread is gone that left nothing behind.
  public static void release(ServiceTransaction in, String thread) {
    var known = in.find(DocumentKind.THREAD, thread);
    if (known.isEmpty() || !active(in, thread).isEmpty()) return;
    var resting = body(known.get()).path("resting").asString(RunStatus.IDLE);
    in.replace(known.get().in(resting).updated(in.now()));
    in.signal(topic(thread));
  }

  /// The body of a document, beside its metadata.
  public static ObjectNode body(Document document) {
    return Trees.of(document.body()) instanceof ObjectNode object
        ? object
        : JsonNodeFactory.instance.objectNode();
  }

  /// The metadata of a document.
  public static ObjectNode metadata(Document document) {
    return Trees.of(document.metadata()) instanceof ObjectNode object
        ? object
        : JsonNodeFactory.instance.objectNode();
  }

  /// A thread as clients see it, without its values.
  public static ObjectNode json(Document thread) {
    var body = body(thread);
    var json = JsonNodeFactory.instance.objectNode();
    json.put("thread_id", thread.id());
    json.put("created_at", thread.created().toString());
    json.put("updated_at", thread.updated().toString());
    json.put(
        "state_updated_at", body.path("state_updated_at").asString(thread.updated().toString()));
    json.set("metadata", metadata(thread));
    json.put("status", thread.status());
    json.set("config", body.has("config") ? body.get("config") : json.objectNode());
    json.set("interrupts", body.has("interrupts") ? body.get("interrupts") : json.objectNode());
    if (body.has("error")) json.set("error", body.get("error"));
    return json;
  }
}
