package dev.superstep.model;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The text form of recorded replies: a header line, then one JSON line for each request. Read in
/// full before anything is answered, so that a bad line is found at once. Immutable.
record Recording(Header header, Map<String, Entry> entries) {
  static final int FORMAT = 2;
  static final Codec<Header> HEADERS = Codec.of(Header.class);
  static final Codec<Entry> ENTRIES = Codec.of(Entry.class);

  /// @param superstepRecording the format
  /// @param model the URL of the model that was recorded
  record Header(int superstepRecording, String model, LocalDate date, String note) {}

  /// @param key see [RequestKey]
  /// @param asked the beginning of the last message, for people who read the file
  record Entry(String key, String asked, ChatReply reply) {}

  Recording {
    entries = Map.copyOf(entries);
  }

  static Recording read(Path file) {
    try (var lines = Files.newBufferedReader(file)) {
      return read(file, lines);
    } catch (IOException e) {
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          "Recording " + file + " cannot be read: " + e + ". Check the path, or record it first.",
          null,
          e);
    }
  }

  private static Recording read(Path file, BufferedReader lines) throws IOException {
    var first = lines.readLine();
    if (first == null) throw new MalformedRecording(file, 1, "The file is empty.", null);
    var header = decode(HEADERS, first, file, 1);
    if (header.superstepRecording() != FORMAT) {
      var why = "The format is " + header.superstepRecording() + ", known is " + FORMAT + ".";
      throw new MalformedRecording(file, 1, why, null);
    }
    var entries = new HashMap<String, Entry>();
    int number = 1;
    for (var text = lines.readLine(); text != null; text = lines.readLine()) {
      number++;
      var entry = decode(ENTRIES, text, file, number);
      if (entries.put(entry.key(), entry) != null) {
        throw new MalformedRecording(file, number, "Its request has a line before.", null);
      }
    }
    return new Recording(header, entries);
  }

  private static <T> T decode(Codec<T> codec, @Nullable String text, Path file, int number) {
    try {
      return codec.decode(Json.parse(String.valueOf(text)));
    } catch (SuperstepException e) {
      throw new MalformedRecording(file, number, String.valueOf(e.getMessage()), e);
    }
  }
}
