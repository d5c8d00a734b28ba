package dev.superstep.server.internal.queue;

import dev.superstep.json.Json;
import dev.superstep.server.internal.documents.RunStatus;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.DocumentQuery.Order;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The events of threads in the event-streaming protocol: a log for each thread that somebody
/// follows, over all its runs. The place of an event in it is its `seq`, for all processes and for
/// ever.
public final class ThreadEvents {
  private static final String KEPT = "events";
  private static final String FROM = "events_from";
  private static final String THROUGH = "events_through";
  private static final int RUNS_MAX = 50;

  /// Clients that lost their connection begin anew, without their place: what ended meanwhile is
  /// told again.
  private static final Duration TOLD_AGAIN = Duration.ofMinutes(5);

  private ThreadEvents() {}

  /// The log of a thread, and the topic that is signalled when it grows.
  public static String log(String thread) {
    return "events/" + thread;
  }

  /// Returns whether somebody follows a thread, so that the events of its runs are saved.
  public static boolean areKept(Document thread) {
    return ThreadDocuments.body(thread).path(KEPT).asBoolean(false);
  }

  /// A thread that somebody follows.
  public static Document kept(Document thread) {
    if (areKept(thread)) return thread;
    var body = ThreadDocuments.body(thread).put(KEPT, true);
    return thread.body(Trees.json(body, "thread"));
  }

  /// Notes that somebody follows a thread.
  public static void keep(ServiceTransaction in, String thread) {
    in.find(DocumentKind.THREAD, thread)
        .filter(known -> !areKept(known))
        .ifPresent(known -> in.replace(kept(known)));
  }

  public static void append(ServiceTransaction in, String thread, List<Json> events) {
    if (events.isEmpty()) return;
    in.append(log(thread), events);
    in.signal(log(thread));
  }

  /// Notes in the body of a run that begins where its events do.
  public static void markBegin(ServiceTransaction in, Document thread, ObjectNode run) {
    if (areKept(thread) && !run.has(FROM)) run.put(FROM, in.lastOffset(log(thread.id())));
  }

  /// Notes in the body of a run that has ended where its events do, and tells its start and its end
  /// if nobody followed the thread when it began.
  public static void markEnd(ServiceTransaction in, Document run, ObjectNode body, RunEnd end) {
    boolean isKept =
        in.find(DocumentKind.THREAD, run.parent()).filter(ThreadEvents::areKept).isPresent();
    if (!isKept) return;
    if (!body.has(FROM)) {
      body.put(FROM, in.lastOffset(log(run.parent())));
      append(in, run.parent(), shortly(run, end.lifecycle(), end.reason()));
    }
    body.put(THROUGH, in.lastOffset(log(run.parent())));
  }

  /// Tells that a run ended before it began.
  public static void dropped(ServiceTransaction in, Document run) {
    var thread = in.find(DocumentKind.THREAD, run.parent());
    if (thread.filter(ThreadEvents::areKept).isEmpty()) return;
    append(in, run.parent(), shortly(run, RunStatus.INTERRUPTED, Optional.empty()));
  }

  private static List<Json> shortly(Document run, String status, Optional<JsonNode> error) {
    var graph = ThreadDocuments.body(run).path("graph_id").asString("");
    return LogBatch.stored(
        List.of(
            ProtocolEvent.lifecycle(run.id(), graph, "running", Optional.empty()),
            ProtocolEvent.lifecycle(run.id(), graph, status, error)));
  }

  /// The place from which a client is told that names none: the start of the newest run, or of an
  /// earlier one that has not ended or has ended just now.
  public static long begin(ServiceTransaction in, String thread) {
    var runs =
        in.search(
            DocumentQuery.of(DocumentKind.RUN)
                .under(thread)
                .by(Order.CREATED, true)
                .limit(RUNS_MAX));
    var since = in.now().minus(TOLD_AGAIN);
    long begin = in.lastOffset(log(thread));
    boolean hasOne = false;
    for (var run : runs) {
      var from = ThreadDocuments.body(run).path(FROM);
      if (!from.isIntegralNumber()) continue;
      boolean isWanted =
          !hasOne || RunStatus.isActive(run.status()) || run.updated().isAfter(since);
      if (!isWanted) break;
      hasOne = true;
      begin = Math.min(begin, from.longValue());
    }
    return begin;
  }

  /// The place before the first event of a run, if its events were saved.
  public static Optional<Long> begin(Document run) {
    var from = ThreadDocuments.body(run).path(FROM);
    return from.isIntegralNumber() ? Optional.of(from.longValue()) : Optional.empty();
  }

  /// Deletes the events of a run that ended long ago, and all before.
  public static void forget(ServiceTransaction in, Document run) {
    var through = ThreadDocuments.body(run).path(THROUGH);
    if (through.isIntegralNumber()) in.trim(log(run.parent()), through.longValue());
  }

  /// Deletes the events of a thread, with the thread.
  public static void delete(ServiceTransaction in, String thread) {
    in.deleteLog(log(thread));
    in.signal(log(thread));
  }
}
