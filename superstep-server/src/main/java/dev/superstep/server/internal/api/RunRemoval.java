package dev.superstep.server.internal.api;

import dev.superstep.server.internal.documents.RunDocuments;
import dev.superstep.server.internal.queue.ThreadEvents;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceTransaction;

/// Deletes the runs of a thread with their streams, those who subscribed to them, and its crons,
/// which have nowhere to run.
public final class RunRemoval {
  private RunRemoval() {}

  /// Deletes them all.
  public static void all(ServiceTransaction in, String thread) {
    for (var run : in.search(DocumentQuery.of(DocumentKind.RUN).under(thread))) {
      in.delete(DocumentKind.RUN, run.id());
      in.deleteLog(RunDocuments.log(run.id()));
      in.signal(RunDocuments.log(run.id()));
    }
    ThreadEvents.delete(in, thread);
    for (var cron : in.search(DocumentQuery.of(DocumentKind.CRON).under(thread))) {
      in.delete(DocumentKind.CRON, cron.id());
    }
    Subscribers.delete(in, thread);
  }
}
