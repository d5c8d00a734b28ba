package dev.superstep.store.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/// Counts the statements that a store runs, by the recorder of the JDK.
final class StatementCount {
  private static final String STATEMENT = "dev.superstep.store.jdbc.sql.Sql::run";
  private static final String COMMIT = "dev.superstep.store.jdbc.sqlite.CommitCounter::committed";

  private StatementCount() {}

  /// An action whose statements are counted.
  interface Action {
    void run() throws Exception;
  }

  /// Returns how many statements an action runs on its thread, those that begin and end
  /// transactions included.
  static long of(Action action) throws Exception {
    return of(STATEMENT, action);
  }

  /// Returns how many transactions an action commits on its thread.
  static long commits(Action action) throws Exception {
    return of(COMMIT, action);
  }

  private static long of(String counted, Action action) throws Exception {
    try (var recording = new Recording()) {
      recording.enable("jdk.MethodTrace").with("filter", counted).with("threshold", "0 ns");
      recording.start();
      action.run();
      recording.stop();
      return read(recording);
    }
  }

  private static long read(Recording recording) throws IOException {
    var file = Files.createTempFile("statements", ".jfr");
    try {
      recording.dump(file);
      long thread = Thread.currentThread().threadId();
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> event.getThread().getJavaThreadId() == thread)
          .count();
    } finally {
      Files.delete(file);
    }
  }
}
