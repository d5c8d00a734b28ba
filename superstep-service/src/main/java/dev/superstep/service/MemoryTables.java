package dev.superstep.service;

import dev.superstep.json.Json;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The documents and logs of an [InMemoryServiceStore]. One thread at a time.
final class MemoryTables {
  private final Map<DocumentKind, MemoryDocuments> documents = new EnumMap<>(DocumentKind.class);
  private final Map<String, Log> logs = new HashMap<>();

  /// The entries of a log that were not trimmed, and the offset of the last one there ever was.
  static final class Log {
    final TreeMap<Long, Json> entries = new TreeMap<>();
    long last;
  }

  MemoryDocuments documents(DocumentKind kind) {
    return documents.computeIfAbsent(kind, _ -> new MemoryDocuments());
  }

  Map<String, Log> logs() {
    return logs;
  }
}
