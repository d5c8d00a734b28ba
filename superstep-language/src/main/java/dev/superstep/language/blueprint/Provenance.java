package dev.superstep.language.blueprint;

import dev.superstep.language.Span;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Where a blueprint comes from. Not part of what it is: two blueprints that differ in nothing else
/// have the same hash. Immutable.
///
/// @param content SHA-256 of the bytes of the text, comments included, if it was made of one
/// @param parentRun the run that made it, if one did
/// @param at when it was made, by the clock of who made it
/// @param spans of the graph (`graph`), its nodes (`node/NAME`), channels (`channel/NAME`), edges
///   (`edge/INDEX`) in the source
public record Provenance(
    Origin origin,
    Optional<String> content,
    Optional<String> parentRun,
    Optional<Instant> at,
    Map<String, Span> spans) {
  public Provenance {
    spans = Collections.unmodifiableMap(new LinkedHashMap<>(spans));
  }

  /// Who wrote the source.
  public sealed interface Origin {
    /// A file that a person wrote.
    record File(String path) implements Origin {}

    /// A program wrote it.
    ///
    /// @param by the name of the model or agent, if it is known
    record Generated(Optional<String> by) implements Origin {}
  }

  /// From a file, without more.
  public static Provenance file(String path) {
    return from(new Origin.File(path));
  }

  /// Written by a model or agent.
  public static Provenance generated(String by) {
    var origin = new Origin.Generated(by.isEmpty() ? Optional.empty() : Optional.of(by));
    return from(origin);
  }

  private static Provenance from(Origin origin) {
    return new Provenance(origin, Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
  }

  /// Returns whether a program wrote it.
  public boolean isGenerated() {
    return origin instanceof Origin.Generated;
  }

  /// Returns a copy with the run that made it, and when.
  public Provenance madeBy(String run, Instant when) {
    return new Provenance(origin, content, Optional.of(run), Optional.of(when), spans);
  }

  /// Returns a copy with these spans.
  public Provenance withSpans(Map<String, Span> all) {
    return new Provenance(origin, content, parentRun, at, all);
  }

  /// Returns a copy that was made of this text.
  public Provenance ofText(String text) {
    return new Provenance(origin, Optional.of(Blueprint.digest(text)), parentRun, at, spans);
  }

  /// The whole of it but the spans, in one line for people.
  public String text() {
    var words = new StringBuilder();
    switch (origin) {
      case Origin.File(var path) -> words.append("file ").append(path);
      case Origin.Generated(var by) -> words.append("written by ").append(by.orElse("a program"));
    }
    parentRun.ifPresent(run -> words.append(" in run ").append(run));
    at.ifPresent(when -> words.append(" at ").append(when));
    content.ifPresent(hash -> words.append(", content ").append(hash, 0, 12));
    return words.toString();
  }
}
