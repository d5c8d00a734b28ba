package dev.superstep.service;

import dev.superstep.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Something that a service keeps: a JSON object, with what it is found by beside it. Immutable.
///
/// ```java
/// Document.of(DocumentKind.RUN, id, in.now()).under(thread).in("pending").dueAt(in.now())
/// ```
///
/// @param id unique within its kind
/// @param parent the id of what it belongs to, or empty
/// @param label a name by which it is found and ordered, or empty
/// @param status its state in a word, or empty
/// @param due when it next needs attention: when a waiting run may start, a lease ends, a schedule
///   fires; in whole microseconds
/// @param created in whole microseconds
/// @param updated in whole microseconds
/// @param metadata a JSON object, by whose parts it is found
/// @param body a JSON object
public record Document(
    DocumentKind kind,
    String id,
    String parent,
    String label,
    String status,
    Optional<Instant> due,
    Instant created,
    Instant updated,
    Json metadata,
    Json body) {
  private static final Json EMPTY = Json.parse("{}");

  /// Cuts times to whole microseconds.
  ///
  /// @throws IllegalArgumentException if a text is no text of Unicode or has a U+0000, which no
  ///   database keeps
  public Document {
    check("id", id);
    check("parent", parent);
    check("label", label);
    check("status", status);
    due = due.map(Document::whole);
    created = whole(created);
    updated = whole(updated);
  }

  /// A document that belongs to nothing, is never due, and has nothing in it.
  public static Document of(DocumentKind kind, String id, Instant now) {
    return new Document(kind, id, "", "", "", Optional.empty(), now, now, EMPTY, EMPTY);
  }

  /// A copy that belongs to another document.
  public Document under(String id) {
    return new Document(kind, this.id, id, label, status, due, created, updated, metadata, body);
  }

  /// A copy with another label.
  public Document labelled(String name) {
    return new Document(kind, id, parent, name, status, due, created, updated, metadata, body);
  }

  /// A copy in another status.
  public Document in(String other) {
    return new Document(kind, id, parent, label, other, due, created, updated, metadata, body);
  }

  /// A copy that is due then.
  public Document dueAt(Instant time) {
    var then = Optional.of(time);
    return new Document(kind, id, parent, label, status, then, created, updated, metadata, body);
  }

  /// A copy that is never due.
  public Document neverDue() {
    return new Document(
        kind, id, parent, label, status, Optional.empty(), created, updated, metadata, body);
  }

  /// A copy that was changed then.
  public Document updated(Instant time) {
    return new Document(kind, id, parent, label, status, due, created, time, metadata, body);
  }

  /// A copy with other metadata.
  public Document metadata(Json object) {
    return new Document(kind, id, parent, label, status, due, created, updated, object, body);
  }

  /// A copy with another body.
  public Document body(Json object) {
    return new Document(kind, id, parent, label, status, due, created, updated, metadata, object);
  }

  private static Instant whole(Instant time) {
    return time.truncatedTo(ChronoUnit.MICROS);
  }

  private static void check(String name, String text) {
    if (Texts.isStorable(text)) return;
    throw new IllegalArgumentException(
        "the " + name + " of a document must be Unicode without U+0000");
  }
}
