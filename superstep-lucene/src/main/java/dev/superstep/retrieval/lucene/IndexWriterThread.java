package dev.superstep.retrieval.lucene;

import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.retrieval.vector.VectorSpace;
import java.io.IOException;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;

/// Everything that opens, writes and closes files, on a thread of its own: Java closes a file under
/// a thread that is interrupted, and Lucene's writer does not survive that. Callers wait for their
/// change, also if they are interrupted meanwhile. Safe for many threads.
final class IndexWriterThread implements AutoCloseable {
  private static final String FORMAT_KEY = "superstep.format";
  private static final String FORMAT = "1";
  private static final String EMBEDDER_KEY = "superstep.embedder";
  private static final String DIMENSION_KEY = "superstep.dimension";

  private final String name;
  private final ExecutorService thread;
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;
  private volatile @Nullable VectorSpace space;

  /// A change that becomes visible and durable as a whole.
  interface Change<T> {
    T make(IndexWriter writer, IndexSearcher before) throws IOException;
  }

  private IndexWriterThread(String name, ExecutorService thread, Directory directory)
      throws IOException {
    this.name = name;
    this.thread = thread;
    this.directory = directory;
    boolean isNew = !DirectoryReader.indexExists(directory);
    this.writer =
        new IndexWriter(
            directory,
            new IndexWriterConfig().setCodec(WideVectors.codec()).setCommitOnClose(false));
    try {
      if (isNew) commit();
      else this.space = storedSpace();
      this.searchers = new SearcherManager(writer, null);
    } catch (IOException | RuntimeException e) {
      writer.rollback();
      throw e;
    }
  }

  static IndexWriterThread open(String name, Callable<Directory> directory) {
    var thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("superstep-lucene").factory());
    try {
      return on(
          thread,
          name,
          () -> {
            var files = directory.call();
            try {
              return new IndexWriterThread(name, thread, files);
            } catch (IOException | RuntimeException e) {
              files.close();
              throw e;
            }
          });
    } catch (RuntimeException e) {
      thread.shutdown();
      throw e;
    }
  }

  SearcherManager searchers() {
    return searchers;
  }

  Optional<VectorSpace> space() {
    return Optional.ofNullable(space);
  }

  /// Makes a change, all of it or nothing.
  <T> T change(Change<T> change) {
    return on(
        thread,
        name,
        () -> {
          var before = searchers.acquire();
          T done;
          try {
            done = change.make(writer, before);
            commit();
          } catch (IOException | RuntimeException e) {
            // What the writer has in memory by now must not come with a later change.
            writer.rollback();
            throw e;
          } finally {
            searchers.release(before);
          }
          searchers.maybeRefreshBlocking();
          return done;
        });
  }

  /// For a change that fixes whose vectors there are.
  void fix(VectorSpace held) {
    space = held;
  }

  @Override
  public void close() {
    try {
      on(
          thread,
          name,
          () -> {
            searchers.close();
            writer.close();
            directory.close();
            return name;
          });
    } finally {
      thread.shutdown();
    }
  }

  static IndexFailed failed(String name, Exception cause) {
    return switch (cause) {
      case LockObtainFailedException e ->
          new IndexFailed(
              name,
              "it is open already, here or in another process",
              "Open it once and share it, or close it there.",
              e);
      case AlreadyClosedException e ->
          new IndexFailed(name, "a change failed before, and it was closed", "Open it again.", e);
      default ->
          new IndexFailed(
              name,
              "" + cause,
              "What was added before is intact; try again when the disk works.",
              cause);
    };
  }

  private void commit() throws IOException {
    var data = new HashMap<String, String>();
    data.put(FORMAT_KEY, FORMAT);
    var held = space;
    if (held != null) {
      data.put(EMBEDDER_KEY, held.embedder());
      data.put(DIMENSION_KEY, "" + held.dimension());
    }
    writer.setLiveCommitData(data.entrySet());
    writer.commit();
  }

  private @Nullable VectorSpace storedSpace() {
    var data = new HashMap<String, String>();
    var stored = writer.getLiveCommitData();
    if (stored != null) for (var entry : stored) data.put(entry.getKey(), entry.getValue());
    if (!FORMAT.equals(data.get(FORMAT_KEY))) {
      throw new IndexFailed(
          name,
          "it holds an index that this version did not write",
          "Give it a folder of its own.",
          null);
    }
    var embedder = data.get(EMBEDDER_KEY);
    var dimension = data.get(DIMENSION_KEY);
    if (embedder == null || dimension == null) return null;
    return new VectorSpace(embedder, Integer.parseInt(dimension));
  }

  /// Waits to the end: nobody could tell whether a change that nobody waited for was made.
  private static <T> T on(ExecutorService thread, String name, Callable<T> work) {
    var result = submitted(thread, name, work);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IndexFailed known -> throw known;
        case Exception cause -> throw failed(name, cause);
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  private static <T> Future<T> submitted(ExecutorService thread, String name, Callable<T> work) {
    try {
      return thread.submit(work);
    } catch (RejectedExecutionException e) {
      throw new IndexFailed(name, "it was closed meanwhile", "Open it again.", e);
    }
  }
}
