package dev.superstep.model;

import dev.superstep.file.PrivateFiles;
import dev.superstep.json.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/// Passes requests on to a model and keeps its replies in a file that [RecordedModel] answers from.
///
/// Each reply is appended when it comes, so that a crash loses none; closing sorts the lines by
/// request, so that the file does not depend on the order of parallel callers. Of several replies
/// to the same request the first is kept. An existing file is continued. Safe for many threads.
public final class RecordingModel implements ChatModel, AutoCloseable {
  private static final int ASKED_MAX = 120;

  private final ChatModel model;
  private final Path file;
  private final Recording.Header header;
  private final TreeMap<String, Recording.Entry> entries = new TreeMap<>();
  private final Writer writer;
  private final ReentrantLock writing = new ReentrantLock();

  private RecordingModel(ChatModel model, Path file, Recording.Header header, Recording before)
      throws IOException {
    this.model = model;
    this.file = file;
    this.header = header;
    entries.putAll(before.entries());
    this.writer = PrivateFiles.append(file);
  }

  /// Begins a recording, or continues one of the same model.
  ///
  /// @param note for people: what is recorded, and why
  /// @param clock tells the date in the header
  /// @throws MalformedRecording if the file exists and has a bad line
  /// @throws IllegalArgumentException if the file records another model
  public static RecordingModel open(Path file, ChatModel model, String note, InstantSource clock) {
    var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    var fresh = new Recording.Header(Recording.FORMAT, model.ref().url(), today, note);
    try {
      if (Files.notExists(file)) {
        try (var begun = PrivateFiles.append(file)) {
          begun.write(line(Recording.HEADERS, fresh));
        }
      }
      var before = Recording.read(file);
      if (!before.header().model().equals(fresh.model())) {
        throw new IllegalArgumentException(
            "Recording %s is of %s, not of %s. Use another file."
                .formatted(file, before.header().model(), fresh.model()));
      }
      return new RecordingModel(model, file, before.header(), before);
    } catch (IOException e) {
      throw new UncheckedIOException("Recording " + file + " cannot be written.", e);
    }
  }

  @Override
  public ModelRef ref() {
    return model.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return model.identity();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return record(request, model.call(request));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return record(request, model.stream(request, listener));
  }

  /// Sorts the file by request.
  @Override
  public void close() {
    writing.lock();
    try {
      writer.close();
      var sorted = new StringBuilder(line(Recording.HEADERS, header));
      entries.values().forEach(entry -> sorted.append(line(Recording.ENTRIES, entry)));
      PrivateFiles.replace(file, sorted.toString());
    } catch (IOException e) {
      throw new UncheckedIOException("Recording " + file + " cannot be written.", e);
    } finally {
      writing.unlock();
    }
  }

  static String asked(ChatRequest request) {
    return Excerpts.of(request.messages().getLast().text(), ASKED_MAX);
  }

  private ChatReply record(ChatRequest request, ChatReply reply) {
    var entry = new Recording.Entry(RequestKey.of(request).hex(), asked(request), reply);
    writing.lock();
    try {
      if (entries.putIfAbsent(entry.key(), entry) != null) return reply;
      writer.write(line(Recording.ENTRIES, entry));
      writer.flush();
      return reply;
    } catch (IOException e) {
      throw new UncheckedIOException("Recording " + file + " cannot be written.", e);
    } finally {
      writing.unlock();
    }
  }

  private static <T> String line(Codec<T> codec, T value) {
    return codec.encode(value).text() + "\n";
  }

  @Override
  public String toString() {
    return "RecordingModel[" + model + ", " + file + "]";
  }
}
