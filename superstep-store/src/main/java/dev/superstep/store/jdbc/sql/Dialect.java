package dev.superstep.store.jdbc.sql;

/// The SQL in which SQLite and PostgreSQL differ. Immutable.
///
/// @param isRemote whether statements have a way to go, so that it pays to send several at once
/// @param now the time by the clock of the database, in microseconds since 1970
/// @param nextToken gives a number that was never given before; empty where a [TokenBlock] does
/// @param checksJson whether it can distinguish JSON from other text; PostgreSQL lets nobody else
///   write
/// @param locked after a query for one row: others wait with changing it, or locking it at all
/// @param shared after a query for one row: others wait with changing it
/// @param nextVersion gives an item a version that none had before
/// @param versionInPlace the same inside an update, where the row is already locked: of two writers
///   the later one must get the later version
/// @param oneOfMany a query that lets one transaction at a time change several items, so that no
///   two wait for each other; one that changes a single item needs none
public record Dialect(
    boolean isRemote,
    String now,
    String nextToken,
    boolean checksJson,
    String locked,
    String shared,
    String nextVersion,
    String versionInPlace,
    String oneOfMany) {
  /// SQLite, with one writer at a time, so that rows need no locks.
  public static final Dialect SQLITE =
      new Dialect(
          false,
          "cast(unixepoch('subsec') * 1000000 as integer)",
          "",
          true,
          "",
          "",
          "update item_version set last = last + 1 returning last",
          "excluded.version",
          "select 1");

  /// A row that is changed keeps its key, so it can be referred to while it is locked.
  public static final Dialect POSTGRES =
      new Dialect(
          true,
          "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)",
          "select nextval('lease_token')",
          false,
          " for no key update",
          " for share",
          "select nextval('item_version')",
          "nextval('item_version')",
          // Ends with the transaction, so it is fine behind a pooler. The number: "SSTPitem".
          "select 1 from pg_advisory_xact_lock(6004234345495094637)");

  /// Returns true if several connections write at once, so that shared rows need locks.
  public boolean hasLocks() {
    return !locked.isEmpty();
  }

  /// Returns the SQL condition that a column's text contains a parameter.
  public String contains(String column) {
    return (isRemote ? "strpos(" : "instr(") + column + ", ?) > 0";
  }

  /// Returns the SQL condition that a column's text is JSON.
  public String isJson(String column) {
    return checksJson ? "json_valid(" + column + ")" : "true";
  }
}
