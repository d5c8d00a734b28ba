package dev.superstep.server.internal.documents;

import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.options.Quotas;
import dev.superstep.server.options.RunLimits;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceTransaction;
import java.time.Duration;
import java.util.List;

/// Refuses threads and runs beyond the quotas of a service. Safe for many threads.
///
/// Threads are counted again only after a while or near the quota, since counting many takes long;
/// several processes may pass it by what they make in that while.
public final class RunQuotas {
  private static final int STATUS = 429;
  private static final long NEAR = 1_000;
  private static final long COUNTED_NANOS = Duration.ofSeconds(5).toNanos();

  private final Quotas quotas;
  private final int queued;
  private volatile Count threads = new Count(0, System.nanoTime() - COUNTED_NANOS - 1);

  private record Count(long number, long at) {}

  public RunQuotas(Quotas quotas, RunLimits limits) {
    this.quotas = quotas;
    this.queued = limits.queued();
  }

  /// Checks that there is room for one more thread.
  ///
  /// @throws HttpFailure 429 if there is none
  public void checkThread(ServiceTransaction in) {
    var known = threads;
    boolean isOld = System.nanoTime() - known.at() > COUNTED_NANOS;
    if (isOld || known.number() + NEAR >= quotas.threads()) {
      long number = in.count(DocumentQuery.of(DocumentKind.THREAD));
      known = new Count(number, System.nanoTime());
      threads = known;
    }
    if (known.number() < quotas.threads()) return;
    throw new HttpFailure(
        STATUS,
        "This service keeps at most %,d threads. Delete or prune some, or give them a ttl."
            .formatted(quotas.threads()));
  }

  /// The most bytes that the events of a run take.
  public long eventBytes() {
    return quotas.eventBytes();
  }

  /// Checks that one more run may wait.
  ///
  /// @param active the runs of its thread that are still to end
  /// @throws HttpFailure 429 if it may not
  public void checkRun(ServiceTransaction in, List<Document> active) {
    long waiting = active.stream().filter(run -> run.status().equals(RunStatus.PENDING)).count();
    if (waiting > 0 && waiting >= queued) {
      throw new HttpFailure(STATUS, "At most %,d runs may wait on one thread.".formatted(queued));
    }
    var pending = DocumentQuery.of(DocumentKind.RUN).in(RunStatus.PENDING);
    if (in.count(pending) < quotas.waitingRuns()) return;
    throw new HttpFailure(
        STATUS,
        "At most %,d runs of this service may wait. Send the request again later."
            .formatted(quotas.waitingRuns()));
  }
}
