package dev.superstep.server.internal.documents;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceTransaction;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The documents of runs.
///
/// Their bodies hold `kwargs` (the request), `multitask_strategy`, `graph_id`, `stateless`,
/// `carried`, `principal`, and once they have run `attempt`, `worker`, `cancel`, `started_at`,
/// `ended_at`, `error` and, for those without a thread of their own, `output`.
public final class RunDocuments {
  /// The topic that is signalled when a run waits for somebody who runs it.
  public static final String WAITING = "runs";

  /// The topic that is signalled when runs are to be cancelled.
  public static final String CANCELLED = "runs/cancel";

  /// The topic that is signalled when there is something to clean up.
  public static final String CLEANED = "cleaning";

  private RunDocuments() {}

  /// Returns whether a run has a thread that was made for it and is of no use after it.
  public static boolean dropsThread(Document run) {
    var body = ThreadDocuments.body(run);
    boolean isKept = body.path("kwargs").path("on_completion").asString("").equals("keep");
    return isStateless(run) && !isKept;
  }

  /// Returns what the request that made a run gave to who listens to the server.
  public static Map<String, String> carried(Document run) {
    var all = new LinkedHashMap<String, String>();
    ThreadDocuments.body(run)
        .path("carried")
        .forEachEntry((name, value) -> all.put(name, value.asString("")));
    return all;
  }

  /// Returns the id of the client for whom a run works, if the client said who it is.
  public static Optional<String> principal(Document run) {
    var id = ThreadDocuments.body(run).path("principal").asString("");
    return id.isBlank() ? Optional.empty() : Optional.of(id);
  }

  /// Returns whether a client named no thread for a run.
  public static boolean isStateless(Document run) {
    return ThreadDocuments.body(run).path("stateless").asBoolean(false);
  }

  /// The log of a run's stream, and the topic that is signalled when it grows or the run ends.
  public static String log(String run) {
    return "run/" + run;
  }

  /// The failure that a run does not exist.
  public static HttpFailure unknown(String run) {
    return new HttpFailure(404, "Run with ID " + run + " not found");
  }

  /// Finds a run, for a change in the transaction.
  ///
  /// @throws HttpFailure 404 if there is none
  public static Document find(ServiceTransaction in, String run) {
    return in.find(DocumentKind.RUN, run).orElseThrow(() -> unknown(run));
  }

  /// Returns whether a worker is still the one that is at work on a run.
  public static boolean isHeld(Document run, Claim claim) {
    if (!run.status().equals(RunStatus.RUNNING)) return false;
    var body = ThreadDocuments.body(run);
    return body.path("attempt").asInt(0) == claim.attempt()
        && body.path("worker").asString("").equals(claim.worker());
  }

  /// A run as clients see it.
  public static ObjectNode json(Document run) {
    var body = ThreadDocuments.body(run);
    var json = JsonNodeFactory.instance.objectNode();
    json.put("run_id", run.id());
    json.put("thread_id", run.parent());
    json.put("assistant_id", run.label());
    json.put("created_at", run.created().toString());
    json.put("updated_at", run.updated().toString());
    json.put("status", run.status());
    json.set("metadata", ThreadDocuments.metadata(run));
    json.set("kwargs", body.path("kwargs"));
    json.put("multitask_strategy", body.path("multitask_strategy").asString("reject"));
    return json;
  }

  /// A run with another body.
  public static Document with(Document run, ObjectNode body) {
    return run.body(Trees.json(body, "run"));
  }
}
