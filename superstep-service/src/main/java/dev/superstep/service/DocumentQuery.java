package dev.superstep.service;

import dev.superstep.json.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The documents that are wanted: those of a kind that meet every condition. Immutable.
///
/// @param ids one of these; empty for any
/// @param parent that of the document, if given
/// @param label that of the document, if given
/// @param labelPart a part of the label, whatever the case of its letters; empty for any
/// @param statuses one of these; empty for any
/// @param due due at this time or before, if given; documents that are never due are not found then
/// @param metadata a JSON object that the metadata contains: each of its fields is there with an
///   equal value, objects by their fields; a list contains the elements of another; `{}` for any
/// @param order of what is found; documents that are equal in it are in the order of their ids, and
///   those that are never due come last
/// @param descending whether the order is reversed, that of ids too
/// @param limit the most documents
/// @param offset how many are passed over
public record DocumentQuery(
    DocumentKind kind,
    Set<String> ids,
    Optional<String> parent,
    Optional<String> label,
    String labelPart,
    Set<String> statuses,
    Optional<Instant> due,
    Json metadata,
    Order order,
    boolean descending,
    int limit,
    int offset) {
  /// The fields by which documents are ordered.
  public enum Order {
    /// When they were made.
    CREATED,
    /// When they were last changed.
    UPDATED,
    /// Their ids.
    ID,
    /// Their parents.
    PARENT,
    /// Their labels.
    LABEL,
    /// Their statuses.
    STATUS,
    /// When they are due.
    DUE
  }

  private static final Json ANY = Json.parse("{}");

  public DocumentQuery {
    ids = Set.copyOf(ids);
    statuses = Set.copyOf(statuses);
    if (limit < 0) throw new IllegalArgumentException("limit must not be negative, was " + limit);
    if (offset < 0) {
      throw new IllegalArgumentException("offset must not be negative, was " + offset);
    }
  }

  /// All documents of a kind, the newest first.
  public static DocumentQuery of(DocumentKind kind) {
    return new DocumentQuery(
        kind,
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        "",
        Set.of(),
        Optional.empty(),
        ANY,
        Order.CREATED,
        true,
        Integer.MAX_VALUE,
        0);
  }

  /// Those with one of these ids.
  public DocumentQuery ids(Set<String> wanted) {
    return new DocumentQuery(
        kind,
        wanted,
        parent,
        label,
        labelPart,
        statuses,
        due,
        metadata,
        order,
        descending,
        limit,
        offset);
  }

  /// Those of a parent.
  public DocumentQuery under(String id) {
    return new DocumentQuery(
        kind,
        ids,
        Optional.of(id),
        label,
        labelPart,
        statuses,
        due,
        metadata,
        order,
        descending,
        limit,
        offset);
  }

  /// Those of a label.
  public DocumentQuery labelled(String name) {
    return new DocumentQuery(
        kind,
        ids,
        parent,
        Optional.of(name),
        labelPart,
        statuses,
        due,
        metadata,
        order,
        descending,
        limit,
        offset);
  }

  /// Those whose label has this part, whatever the case of letters.
  public DocumentQuery labelPart(String part) {
    return new DocumentQuery(
        kind, ids, parent, label, part, statuses, due, metadata, order, descending, limit, offset);
  }

  /// Those in one of these statuses.
  public DocumentQuery in(String... some) {
    return new DocumentQuery(
        kind,
        ids,
        parent,
        label,
        labelPart,
        Set.of(some),
        due,
        metadata,
        order,
        descending,
        limit,
        offset);
  }

  /// Those that are due by then.
  public DocumentQuery dueBy(Instant time) {
    return new DocumentQuery(
        kind,
        ids,
        parent,
        label,
        labelPart,
        statuses,
        Optional.of(time),
        metadata,
        order,
        descending,
        limit,
        offset);
  }

  /// Those whose metadata contains an object.
  public DocumentQuery having(Json part) {
    return new DocumentQuery(
        kind, ids, parent, label, labelPart, statuses, due, part, order, descending, limit, offset);
  }

  /// Returns a copy in an order.
  public DocumentQuery by(Order by, boolean down) {
    return new DocumentQuery(
        kind, ids, parent, label, labelPart, statuses, due, metadata, by, down, limit, offset);
  }

  /// At most so many.
  public DocumentQuery limit(int most) {
    return new DocumentQuery(
        kind,
        ids,
        parent,
        label,
        labelPart,
        statuses,
        due,
        metadata,
        order,
        descending,
        most,
        offset);
  }

  /// All but so many of the first.
  public DocumentQuery offset(int passed) {
    return new DocumentQuery(
        kind,
        ids,
        parent,
        label,
        labelPart,
        statuses,
        due,
        metadata,
        order,
        descending,
        limit,
        passed);
  }

  /// Tests documents for all conditions: for those who implement a [ServiceStore].
  public Predicate<Document> matcher() {
    boolean isAnyMetadata = metadata.equals(ANY);
    var part = Containment.tree(metadata);
    var folded = Texts.folded(labelPart);
    return document ->
        hasColumns(document)
            && (folded.isEmpty() || Texts.folded(document.label()).contains(folded))
            && (isAnyMetadata || Containment.contains(Containment.tree(document.metadata()), part));
  }

  private boolean hasColumns(Document document) {
    return document.kind() == kind
        && (ids.isEmpty() || ids.contains(document.id()))
        && (parent.isEmpty() || parent.get().equals(document.parent()))
        && (label.isEmpty() || label.get().equals(document.label()))
        && (statuses.isEmpty() || statuses.contains(document.status()))
        && (due.isEmpty()
            || (document.due().isPresent() && !document.due().get().isAfter(due.get())));
  }

  /// The order in which documents are found: for those who implement a [ServiceStore].
  public Comparator<Document> comparator() {
    Comparator<Document> first =
        switch (order) {
          case CREATED -> Comparator.comparing(Document::created);
          case UPDATED -> Comparator.comparing(Document::updated);
          case ID -> Comparator.comparing(Document::id, Texts.ORDER);
          case PARENT -> Comparator.comparing(Document::parent, Texts.ORDER);
          case LABEL -> Comparator.comparing(Document::label, Texts.ORDER);
          case STATUS -> Comparator.comparing(Document::status, Texts.ORDER);
          case DUE -> Comparator.comparing(document -> document.due().orElse(Instant.MAX));
        };
    var whole = first.thenComparing(Document::id, Texts.ORDER);
    var directed = descending ? whole.reversed() : whole;
    if (order != Order.DUE) return directed;
    Comparator<Document> neverDueLast = Comparator.comparing(document -> document.due().isEmpty());
    return neverDueLast.thenComparing(directed);
  }

  /// A text in which the case of letters does not count, as labels and their parts are compared:
  /// for those who implement a [ServiceStore].
  public static String folded(String text) {
    return Texts.folded(text);
  }

  /// Returns true if a text can be an id, a parent, a label or a status of a document; nothing is
  /// found by another one. For those who implement a [ServiceStore].
  public static boolean isStorable(String text) {
    return Texts.isStorable(text);
  }
}
