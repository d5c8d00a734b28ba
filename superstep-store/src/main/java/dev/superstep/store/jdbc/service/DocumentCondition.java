package dev.superstep.store.jdbc.service;

import dev.superstep.json.Json;
import dev.superstep.service.DocumentQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The conditions and the order of a [DocumentQuery] in SQL. One thread.
final class DocumentCondition {
  // Names that are paths of SQLite as they are.
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

  private final boolean isRemote;
  private final StringBuilder text = new StringBuilder("kind = ?");
  private final List<Object> arguments = new ArrayList<>();
  private boolean isSifted;

  private DocumentCondition(DocumentQuery query, boolean isRemote) {
    this.isRemote = isRemote;
    arguments.add(query.kind().name());
    addAny("id", query.ids());
    query.parent().ifPresent(id -> add("parent = ?", id));
    query.label().ifPresent(name -> add("label = ?", name));
    if (!query.labelPart().isEmpty()) {
      var part = DocumentQuery.folded(query.labelPart());
      add((isRemote ? "strpos" : "instr") + "(folded, ?) > 0", part);
    }
    addAny("status", query.statuses());
    query.due().ifPresent(time -> add("due <= ?", Micros.of(time)));
    addMetadata(query.metadata());
  }

  /// The conditions of a query.
  ///
  /// @return empty if no document can meet the conditions, because of texts that none has
  static Optional<DocumentCondition> of(DocumentQuery query, boolean isRemote) {
    var texts =
        Stream.of(
                query.ids().stream(),
                query.parent().stream(),
                query.label().stream(),
                Stream.of(query.labelPart()),
                query.statuses().stream())
            .flatMap(each -> each);
    return texts.allMatch(DocumentQuery::isStorable)
        ? Optional.of(new DocumentCondition(query, isRemote))
        : Optional.empty();
  }

  String text() {
    return text.toString();
  }

  List<Object> arguments() {
    return arguments;
  }

  /// Returns true if rows that meet it are still to be compared with the query.
  boolean isSifted() {
    return isSifted;
  }

  /// @param isRemote whether the database knows what is in its tables; SQLite reads all documents
  ///   of a kind in their order rather than sort a few, unless the order is no plain column
  static String order(DocumentQuery query, boolean isRemote) {
    boolean areFew =
        query.parent().isPresent() || query.due().isPresent() || !query.ids().isEmpty();
    var plus = areFew && !isRemote ? "+" : "";
    var direction = query.descending() ? " desc" : "";
    var column =
        switch (query.order()) {
          case CREATED -> "created";
          case UPDATED -> "updated";
          case ID -> "";
          case PARENT -> "parent";
          case LABEL -> "label";
          case STATUS -> "status";
          case DUE -> "due";
        };
    var last = query.order() == DocumentQuery.Order.DUE ? " nulls last" : "";
    var first = column.isEmpty() ? "" : plus + column + direction + last + ", ";
    return " order by " + first + plus + "id" + direction;
  }

  private void add(String condition, Object argument) {
    text.append(" and ").append(condition);
    arguments.add(argument);
  }

  private void addAny(String column, Set<String> wanted) {
    if (wanted.isEmpty()) return;
    if (wanted.size() == 1) {
      add(column + " = ?", wanted.iterator().next());
    } else if (isRemote) {
      add(column + " = any (cast(? as text[]))", array(wanted));
    } else {
      add(column + " in (select value from json_each(?))", Json.of(List.copyOf(wanted)).text());
    }
  }

  static String[] array(Collection<String> texts) {
    return texts.toArray(String[]::new);
  }

  private void addMetadata(Json metadata) {
    if (metadata.text().equals("{}")) return;
    var wanted = Facts.tree(metadata);
    if (isRemote) {
      add("facts @> cast(? as jsonb)", Facts.of(wanted));
      return;
    }
    isSifted = true;
    // Passes over most of what does not match; numbers and nested values are compared in Java.
    for (var field : wanted.properties()) {
      if (!isPlain(field.getKey(), field.getValue())) continue;
      text.append(" and json_extract(metadata, ?) = ?");
      arguments.add("$." + field.getKey());
      arguments.add(field.getValue().stringValue());
    }
  }

  private static boolean isPlain(String name, JsonNode value) {
    return PLAIN.matcher(name).matches()
        && value.isString()
        && DocumentQuery.isStorable(value.stringValue());
  }
}
