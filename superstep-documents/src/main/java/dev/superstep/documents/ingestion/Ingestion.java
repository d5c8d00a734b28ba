package dev.superstep.documents.ingestion;

import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// Brings an index up to date with documents: loads, splits and embeds what is new or changed.
/// Unchanged documents are neither loaded nor embedded again. Safe for many threads; concurrent
/// calls run one after another. Immutable but for that; the `with` methods return changed copies.
///
/// ```java
/// var ingestion = Ingestion.into(index, loader, StructureSplitter.of(300, 30), records);
/// System.out.println(ingestion.ingestFolder(folder)); // 3 added, 12 skipped, 1 failed
/// ```
///
/// The records are the state of an ingestion. They are written before and after the chunks of a few
/// documents, so a call that fails, is interrupted or dies with its process has lost at most those:
/// the same call again, also in another process, goes on where it was.
///
/// A document that cannot be loaded is reported, keeps the chunks that it had, and stops nothing.
/// An error of the embedder or of the index ends the call.
public final class Ingestion {
  private final IngestionSetup setup;
  private final ReentrantLock ingesting;

  private Ingestion(IngestionSetup setup, ReentrantLock ingesting) {
    this.setup = setup;
    this.ingesting = ingesting;
  }

  /// An ingestion into an index. If several processes may ingest into it, use [#withLease].
  ///
  /// @param records those of this index, which nothing else uses meanwhile
  public static Ingestion into(
      VectorIndex index, DocumentLoader loader, StructureSplitter splitter, IndexRecords records) {
    return new Ingestion(IngestionSetup.of(index, loader, splitter, records), new ReentrantLock());
  }

  /// Limits the size of files to other than the standard one. Loaders have limits of their own.
  public Ingestion withMaxBytes(int maxBytes) {
    return new Ingestion(setup.withMaxBytes(maxBytes), ingesting);
  }

  /// Limits what a call embeds. Documents beyond that are reported as postponed; the next call
  /// embeds them.
  ///
  /// @param tokens as the approximate counter of [dev.superstep.model.TokenCounter] counts them
  public Ingestion withTokenLimit(long tokens) {
    if (tokens < 0) throw new IllegalArgumentException("tokens must be 0 or more, was " + tokens);
    return new Ingestion(setup.withTokenLimit(tokens), ingesting);
  }

  /// Lets only one ingestion at a time work on the index, in all processes that have this lease.
  public Ingestion withLease(IngestionLease lease) {
    return new Ingestion(setup.withLease(lease), ingesting);
  }

  /// Publishes events to a listener.
  public Ingestion withListener(IngestionListener listener) {
    return new Ingestion(setup.withListener(listener), ingesting);
  }

  /// Brings the index up to date with the files of a folder that the loader accepts, and removes
  /// those that are gone.
  ///
  /// @throws IOException if the folder cannot be listed; the index is unchanged then
  /// @throws InterruptedException if the thread is interrupted; finished documents stay indexed
  public IngestionReport ingestFolder(Path folder) throws IOException, InterruptedException {
    var accepted = SourceDocument.folder(folder).stream().filter(setup.loader()::accepts).toList();
    return ingest(accepted, Cleanup.FULL);
  }

  /// Brings the index up to date with these documents.
  ///
  /// @param documents read once; no two with the same id
  /// @throws IngestionBusy if another process has the lease for longer than this call waits
  /// @throws IngestionLeaseLost if this process stood still for so long that it lost the lease
  /// @throws InterruptedException if the thread is interrupted; finished documents stay indexed
  public IngestionReport ingest(Iterable<SourceDocument> documents, Cleanup cleanup)
      throws InterruptedException {
    ingesting.lockInterruptibly();
    try (var lease = HeldLease.acquire(setup.lease())) {
      return ingest(documents, cleanup, new IngestionRun(setup, lease));
    } finally {
      ingesting.unlock();
    }
  }

  private static IngestionReport ingest(
      Iterable<SourceDocument> documents, Cleanup cleanup, IngestionRun run)
      throws InterruptedException {
    long began = System.nanoTime();
    try {
      run.publish(new IngestionEvent.IngestionStarted(cleanup));
      for (var document : documents) {
        if (Thread.interrupted()) throw new InterruptedException("ingestion was cancelled");
        run.ingest(document);
      }
      run.finish(cleanup);
      var report = run.report();
      var took = Duration.ofNanos(System.nanoTime() - began);
      run.publish(new IngestionEvent.IngestionCompleted(report, took));
      return report;
    } catch (RuntimeException | InterruptedException e) {
      run.publish(new IngestionEvent.IngestionFailed(IngestionRun.name(e)));
      throw e;
    }
  }

  @Override
  public String toString() {
    return "Ingestion[" + setup.index() + "]";
  }
}
