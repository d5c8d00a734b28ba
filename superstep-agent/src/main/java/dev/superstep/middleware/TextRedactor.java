package dev.superstep.middleware;

import dev.superstep.json.Json;
import java.util.List;
import java.util.stream.Stream;

/// Takes out of texts what detectors find, with `[redacted api key]` and the like in its place:
/// whole texts, JSON values, and texts that arrive in pieces. Uses the same detectors as
/// [Redacting]. Immutable, safe for many threads.
public final class TextRedactor {
  private final List<Detector> detectors;

  private TextRedactor(List<Detector> detectors) {
    this.detectors = detectors;
  }

  /// Looks with these detectors.
  public static TextRedactor of(Detector... detectors) {
    return new TextRedactor(List.of(detectors));
  }

  /// Returns one that also looks with another detector.
  public TextRedactor and(Detector more) {
    return new TextRedactor(Stream.concat(detectors.stream(), Stream.of(more)).toList());
  }

  /// The text without what they find.
  public String text(String text) {
    return redactor().text(text);
  }

  /// The value without what they find in its texts and in the names of its fields.
  public Json json(Json value) {
    return redactor().json(value);
  }

  /// Returns whether they find anything in a text.
  public boolean finds(String text) {
    return !redactor().finds(text).isEmpty();
  }

  /// Begins a text that arrives in pieces.
  public StreamRedactor stream() {
    return new StreamRedactor(detectors);
  }

  private Redactor redactor() {
    return new Redactor(detectors, new Redaction.Named());
  }

  @Override
  public String toString() {
    return "TextRedactor" + detectors.stream().map(Detector::name).toList();
  }
}
