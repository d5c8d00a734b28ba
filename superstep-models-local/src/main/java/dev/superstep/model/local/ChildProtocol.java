package dev.superstep.model.local;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The lines of the protocol.
final class ChildProtocol {
  private static final Codec<ChildRequest> ORDER = Codec.of(ChildRequest.class);
  private static final Codec<ChildReply> ANSWER = Codec.of(ChildReply.class);
  private static final int LINE_MAX = 300;

  private ChildProtocol() {}

  static void write(ChildRequest order, OutputStream out) throws IOException {
    write(ORDER.encode(order), out);
  }

  static void write(ChildReply answer, OutputStream out) {
    try {
      write(ANSWER.encode(answer), out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ChildRequest order(String line) {
    return ORDER.decode(Json.unchecked(line));
  }

  /// Empty for what native code wrote to the same pipe.
  static Optional<ChildReply> answer(String line) {
    if (!line.startsWith("{")) return Optional.empty();
    try {
      return Optional.of(ANSWER.decode(Json.unchecked(line)));
    } catch (MalformedJson _) {
      return Optional.empty();
    }
  }

  /// Shortens a text to one line for a log.
  static String line(@Nullable String text) {
    if (text == null || text.isBlank()) return "no reason given";
    var line = text.strip().lines().findFirst().orElse("").strip();
    return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "…";
  }

  private static void write(Json json, OutputStream out) throws IOException {
    out.write((json.text() + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
