package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.model.ModelRef;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/// A thread in its store, for commands that show or change it without running it. For one Java
/// thread at a time.
public final class ThreadStore implements AutoCloseable {
  private static final int NAMES_MAX = 1_000;

  private final Host host;
  private final Optional<String> named;
  private final ThreadLocation place;
  private final Checkpointer store;

  private ThreadStore(Host host, Optional<String> named, ThreadLocation place, Checkpointer store) {
    this.host = host;
    this.named = named;
    this.place = place;
    this.store = store;
  }

  /// Opens the store of a thread.
  ///
  /// @param named the store, if an option names it
  /// @throws UsageError if there is no such store, or the name is none
  public static ThreadStore open(Host host, String thread, Optional<String> named) {
    var place = ThreadLocation.of(host, thread, named);
    // Opening would make the file.
    if (!Files.exists(place.store()) || !isName(thread)) throw place.unknown();
    return new ThreadStore(host, named, place, SqliteCheckpointer.open(place.store()));
  }

  private static boolean isName(String thread) {
    try {
      return !Lineage.of(thread).thread().isEmpty();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  public Checkpointer store() {
    return store;
  }

  public Threads threads() {
    return Threads.in(store);
  }

  public ThreadJournal journal() {
    return ThreadJournal.of(store, place.thread());
  }

  public String thread() {
    return place.thread();
  }

  /// Returns the summary of the thread.
  ///
  /// @throws UsageError if nothing of it is stored
  public ThreadSummary head() {
    return threads().find(place.thread()).orElseThrow(this::unknown);
  }

  public UsageError unknown() {
    return ThreadStore.unknown(place, store);
  }

  /// An error about a thread that is not in its store, with the name that was probably meant.
  static UsageError unknown(ThreadLocation place, Checkpointer store) {
    var names =
        Threads.in(store).list(ThreadQuery.newest(NAMES_MAX)).stream()
            .map(ThreadSummary::thread)
            .toList();
    return place.unknown(names);
  }

  /// Returns the command that resumes a thread of this store, if this command started it.
  ///
  /// @param metadata of its newest checkpoint
  public Optional<String> resume(String thread, Map<String, String> metadata) {
    return place(thread, metadata).map(ThreadLocation::resume);
  }

  /// Returns the command that resumes a thread of this store, whichever command started it.
  Optional<String> resumeOf(Checkpoint at) {
    return ThreadKind.of(at)
        .map(kind -> host.command() + kind.resume() + " " + ShellText.word(thread()))
        .or(() -> resume(thread(), at.metadata()));
  }

  /// Returns the resume command with results in a folder of the thread's own.
  public Optional<String> resumeApart(String thread, Map<String, String> metadata) {
    var folder = ProgramRun.OUTPUT + "/" + ThreadNames.inFile(thread);
    return place(thread, metadata).map(at -> at.with("--output", folder).resume());
  }

  private Optional<ThreadLocation> place(String thread, Map<String, String> metadata) {
    try {
      var manifest = RunManifest.of(thread, metadata);
      var at = ThreadLocation.of(host, thread, named);
      boolean trusts =
          manifest.text().isEmpty()
              && !manifest.isReplaced()
              && ModelChoice.needsTrust(ModelRef.parse(manifest.model()));
      return Optional.of(trusts ? at.trusting(manifest.model()) : at);
    } catch (UsageError _) {
      return Optional.empty();
    }
  }

  public Host host() {
    return host;
  }

  public void print(String line) {
    host.terminal().out().println(SafeText.of(line));
    host.terminal().out().flush();
  }

  @Override
  public void close() {
    store.close();
  }
}
