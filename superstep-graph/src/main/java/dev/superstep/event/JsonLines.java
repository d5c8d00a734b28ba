package dev.superstep.event;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Writes each event as one line of JSON, without what programs, models and people said unless
/// another [Redaction] is given. A line that cannot be written is counted and lost; the run is not
/// harmed, and later lines are tried again. Safe for many threads.
///
/// It writes where the events happen. Where the disk may be slow, put it behind [EventHub#deliver].
public final class JsonLines implements EventListener, AutoCloseable {
  private final Writer out;
  private final Redaction redaction;
  private long written;
  private long failed;
  private boolean torn;
  private @Nullable Exception lastFailure;

  private JsonLines(Writer out, Redaction redaction) {
    this.out = out;
    this.redaction = redaction;
  }

  /// Lines to a writer, flushed one by one.
  public static JsonLines to(Writer out) {
    return to(out, Redaction.payloads());
  }

  /// Writes to a writer, with other parts of the events left out, or with none left out.
  public static JsonLines to(Writer out, Redaction redaction) {
    return new JsonLines(out, redaction);
  }

  /// Lines at the end of a file, which is made if it is missing, for its owner only.
  ///
  /// @throws IOException if it cannot be opened
  public static JsonLines to(Path file) throws IOException {
    return to(file, Redaction.payloads());
  }

  /// Appends to a file, with other parts of the events left out, or with none left out.
  ///
  /// @throws IOException if it cannot be opened
  public static JsonLines to(Path file, Redaction redaction) throws IOException {
    return to(PrivateFiles.append(file), redaction);
  }

  @Override
  public synchronized void on(Event event) {
    try {
      write(event);
    } catch (IOException | RuntimeException e) {
      if (failed == 0) EventLog.warn("Events cannot be written.", e);
      failed++;
      torn = true;
      lastFailure = e;
    }
  }

  private void write(Event event) throws IOException {
    var line = redacted(event).json().text() + "\n";
    // The beginning of a line that failed stays a line of its own.
    out.write(torn ? "\n" + line : line);
    out.flush();
    torn = false;
    written++;
  }

  private Event redacted(Event event) {
    try {
      return redaction.of(event);
    } catch (RuntimeException e) {
      EventLog.warn("A redaction failed; the event is written without payloads.", e);
      return Redaction.payloads().of(event);
    }
  }

  /// The number of lines written.
  public synchronized long written() {
    return written;
  }

  /// The number of lines lost.
  public synchronized long failed() {
    return failed;
  }

  /// Why the last line that was lost could not be written.
  public synchronized Optional<Exception> lastFailure() {
    return Optional.ofNullable(lastFailure);
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
