package dev.superstep.language;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;

/// A finding about a source. Immutable; methods that add something return a copy.
///
/// @param code stable, such as `E-rag-unknown-node`
/// @param message one sentence without a full stop, of which the source line is a part
/// @param primary the exact place
/// @param others places that explain it, such as the first of two declarations
/// @param help the next step for the reader; empty if there is none
public record Diagnostic(
    Severity severity,
    String code,
    String message,
    Label primary,
    List<Label> others,
    String help) {
  public Diagnostic {
    requireNonNull(severity, "severity");
    requireNonNull(code, "code");
    requireNonNull(message, "message");
    requireNonNull(primary, "primary");
    requireNonNull(help, "help");
    others = List.copyOf(others);
  }

  /// An error at a place.
  public static Diagnostic error(String code, Span span, String message) {
    return of(Severity.ERROR, code, span, message);
  }

  /// A warning at a place.
  public static Diagnostic warning(String code, Span span, String message) {
    return of(Severity.WARNING, code, span, message);
  }

  /// A note at a place.
  public static Diagnostic note(String code, Span span, String message) {
    return of(Severity.NOTE, code, span, message);
  }

  /// A finding at a place, with nothing beside it.
  public static Diagnostic of(Severity severity, String code, Span span, String message) {
    return new Diagnostic(severity, code, message, new Label(span, ""), List.of(), "");
  }

  /// Returns a copy with words beside the underline.
  public Diagnostic label(String text) {
    return new Diagnostic(severity, code, message, new Label(span(), text), others, help);
  }

  /// Returns a copy that points at one more place.
  public Diagnostic also(Span span, String text) {
    var all = new ArrayList<>(others);
    all.add(new Label(span, text));
    return new Diagnostic(severity, code, message, primary, all, help);
  }

  /// Returns a copy with the next step for the reader.
  public Diagnostic help(String text) {
    return new Diagnostic(severity, code, message, primary, others, text);
  }

  /// The exact place.
  public Span span() {
    return primary.span();
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
