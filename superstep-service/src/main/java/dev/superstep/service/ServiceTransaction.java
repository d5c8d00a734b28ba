package dev.superstep.service;

import dev.superstep.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The documents and logs of a [ServiceStore], inside one transaction. For the thread and the time
/// of that transaction.
public interface ServiceTransaction {
  /// The time of the storage, which all processes share: leases and schedules are decided by it.
  /// The same during one transaction. In whole microseconds.
  Instant now();

  /// Takes a name for this transaction: another one that takes it waits until this one has ended.
  void lock(String name);

  // --- Documents ---

  /// Finds a document by its id. Costs O(1).
  Optional<Document> find(DocumentKind kind, String id);

  /// Saves a new document.
  ///
  /// @return false, and nothing is saved, if there is one of that kind and id
  boolean insert(Document document);

  /// Replaces a document as a whole.
  ///
  /// @return false, and nothing is saved, if there is none of that kind and id
  boolean replace(Document document);

  /// Deletes a document.
  ///
  /// @return false if there was none
  boolean delete(DocumentKind kind, String id);

  /// Finds documents. Costs O(what is returned), with metadata O(what is passed over).
  List<Document> search(DocumentQuery query);

  /// Counts the documents that a query finds; limit, offset and order of it do not matter.
  long count(DocumentQuery query);

  // --- Logs ---

  /// Adds entries at the end of a log, which begins with its first entry. A reader of an offset has
  /// read, or can read, all offsets before it.
  ///
  /// @return the offset of the last one; offsets of a log count from 1 and have no gaps
  long append(String log, List<Json> entries);

  /// Entries of a log in order, at most `limit`. Costs O(what is read).
  ///
  /// @param after the offset that was read last, or 0
  List<LogEntry> entries(String log, long after, int limit);

  /// The offset of the last entry, or 0.
  long lastOffset(String log);

  /// Deletes the entries up to and with an offset. Later entries keep their offsets, and so do
  /// those that are still to come.
  void trim(String log, long through);

  /// Deletes a log. One of that name that is begun later counts from 1 again.
  void deleteLog(String log);

  // --- Other processes ---

  /// Wakes the watchers of a topic after the commit.
  void signal(String topic);
}
