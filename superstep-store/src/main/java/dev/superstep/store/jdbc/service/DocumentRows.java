package dev.superstep.store.jdbc.service;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rows of documents. All that comes from outside is an argument, never a part of a statement.
final class DocumentRows {
  private static final String COLUMNS =
      "kind, id, parent, label, status, due, created, updated, metadata, body";
  private static final String WHERE = " where kind = ? and id = ?";

  private final Sql sql;
  private final boolean isRemote;
  private final String select;
  private final String locked;

  /// A row with the version that it has.
  record Row(Document document, String version) {}

  /// @param isLocking whether others wait with changing what was read
  DocumentRows(Sql sql, boolean isLocking) {
    this.sql = sql;
    isRemote = sql.dialect().isRemote();
    // The transaction that wrote the row.
    select = "select " + COLUMNS + (isRemote ? ", xmin" : ", ''") + " from service_document";
    locked = isLocking ? sql.dialect().locked() : "";
  }

  Optional<Row> find(DocumentKind kind, String id) throws SQLException {
    return sql.first(select + WHERE + locked, DocumentRows::row, kind.name(), id);
  }

  List<Row> search(DocumentQuery query) throws SQLException {
    var condition = DocumentCondition.of(query, isRemote);
    if (condition.isEmpty() || query.limit() == 0) return List.of();
    var text =
        select + " where " + condition.get().text() + DocumentCondition.order(query, isRemote);
    if (condition.get().isSifted()) return sifted(query, text, condition.get().arguments());
    var arguments = new ArrayList<>(condition.get().arguments());
    arguments.add((long) query.limit());
    arguments.add((long) query.offset());
    return sql.all(text + " limit ? offset ?" + locked, DocumentRows::row, arguments.toArray());
  }

  private List<Row> sifted(DocumentQuery query, String text, List<Object> arguments)
      throws SQLException {
    var matches = query.matcher();
    var found = new ArrayList<Row>();
    var passed = new int[1];
    sql.eachWhile(
        text,
        each -> {
          var row = row(each);
          if (!matches.test(row.document())) return true;
          if (passed[0]++ >= query.offset()) found.add(row);
          return found.size() < query.limit();
        },
        arguments);
    return found;
  }

  long count(DocumentQuery query) throws SQLException {
    var condition = DocumentCondition.of(query, isRemote);
    if (condition.isEmpty()) return 0;
    var where = " where " + condition.get().text();
    var arguments = condition.get().arguments();
    if (!condition.get().isSifted()) {
      var text = "select count(*) from service_document" + where;
      return sql.first(text, row -> row.getLong(1), arguments.toArray()).orElse(0L);
    }
    var matches = query.matcher();
    var count = new long[1];
    sql.eachWhile(
        select + where,
        row -> {
          if (matches.test(row(row).document())) count[0]++;
          return true;
        },
        arguments);
    return count[0];
  }

  /// Inserts a document.
  ///
  /// @return false if there is one
  boolean insert(Document document) throws SQLException {
    return sql.update(inserting(), inserted(document).toArray()) > 0;
  }

  /// Inserts one that is known not to be there; if it is, the transaction fails.
  void insertAbsent(Document document) throws SQLException {
    writeCertainly(inserting(), inserted(document));
  }

  private String inserting() {
    return "insert into service_document (parent, label, folded, status, due, created, updated,"
        + " metadata, body"
        + (isRemote ? ", facts" : "")
        + ", kind, id) values (?, ?, ?, ?, ?, ?, ?, ?, ?"
        + (isRemote ? ", cast(? as jsonb)" : "")
        + ", ?, ?) on conflict do nothing";
  }

  private List<@Nullable Object> inserted(Document document) {
    return keyed(values(document), document.kind(), document.id());
  }

  /// Replaces a document.
  ///
  /// @return false if there is none
  boolean replace(Document document) throws SQLException {
    return sql.update(replacing() + WHERE, inserted(document).toArray()) > 0;
  }

  /// Replaces one that has a version, or any if that is empty; if it has another one, the
  /// transaction fails.
  void replace(Document document, String version) throws SQLException {
    writeCertainly(replacing() + WHERE + having(version), versioned(inserted(document), version));
  }

  private String replacing() {
    return "update service_document set parent = ?, label = ?, folded = ?, status = ?, due = ?,"
        + " created = ?, updated = ?, metadata = ?, body = ?"
        + (isRemote ? ", facts = cast(? as jsonb)" : "");
  }

  /// Deletes a document.
  ///
  /// @return false if there is none
  boolean delete(DocumentKind kind, String id) throws SQLException {
    return sql.update("delete from service_document" + WHERE, kind.name(), id) > 0;
  }

  /// Deletes one that has a version, or any if that is empty; if it has another one, the
  /// transaction fails.
  void delete(DocumentKind kind, String id, String version) throws SQLException {
    writeCertainly(
        "delete from service_document" + WHERE + having(version),
        versioned(keyed(List.of(), kind, id), version));
  }

  private static String having(String version) {
    return version.isEmpty() ? "" : " and xmin = cast(? as xid)";
  }

  private static List<@Nullable Object> versioned(
      List<? extends @Nullable Object> arguments, String version) {
    var all = new ArrayList<@Nullable Object>(arguments);
    if (!version.isEmpty()) all.add(version);
    return all;
  }

  /// Sends a statement with what follows it. The database fails if it changes nothing.
  private void writeCertainly(String statement, List<? extends @Nullable Object> arguments)
      throws SQLException {
    var text =
        "with done as (%s returning 1) select service_unchanged(count(*)) from done"
            .formatted(statement);
    var _ = sql.defer(text, _ -> true, arguments.toArray());
  }

  private static List<@Nullable Object> keyed(
      List<? extends @Nullable Object> values, DocumentKind kind, String id) {
    var all = new ArrayList<@Nullable Object>(values);
    all.add(kind.name());
    all.add(id);
    return all;
  }

  private List<@Nullable Object> values(Document document) {
    var values = new ArrayList<@Nullable Object>();
    values.add(document.parent());
    values.add(document.label());
    values.add(DocumentQuery.folded(document.label()));
    values.add(document.status());
    values.add(document.due().map(Micros::of).orElse(null));
    values.add(Micros.of(document.created()));
    values.add(Micros.of(document.updated()));
    values.add(SqlText.of(document.metadata()));
    values.add(SqlText.of(document.body()));
    if (isRemote) values.add(Facts.of(Facts.tree(document.metadata())));
    return values;
  }

  private static Row row(ResultSet row) throws SQLException {
    long due = row.getLong(6);
    boolean isDue = !row.wasNull();
    var document =
        new Document(
            DocumentKind.valueOf(row.getString(1)),
            row.getString(2),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            isDue ? Optional.of(Micros.time(due)) : Optional.empty(),
            Micros.time(row.getLong(7)),
            Micros.time(row.getLong(8)),
            Json.unchecked(row.getString(9)),
            Json.unchecked(row.getString(10)));
    return new Row(document, row.getString(11));
  }
}
