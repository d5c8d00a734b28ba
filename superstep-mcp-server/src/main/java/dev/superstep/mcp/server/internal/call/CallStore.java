package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The stored calls of one server. Safe for many threads and processes.
public final class CallStore {
  private static final int ID_BYTES = 16;
  private static final int KEY_BYTES = 32;
  private static final int EXPIRED_AT_ONCE = 100;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServiceStore documents;
  private final String server;

  public CallStore(ServiceStore documents, String server) {
    this.documents = documents;
    this.server = server;
  }

  /// A new one.
  CallRecord begin(
      String principal, ServedTool tool, Json arguments, boolean isTask, Duration keep) {
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    var id = HexFormat.of().formatHex(bytes);
    return documents.write(in -> {
      var record =
          new CallRecord(
              id,
              server,
              principal,
              tool.name(),
              arguments,
              isTask,
              CallRecord.WORKING,
              "",
              keep,
              in.now(),
              in.now(),
              Optional.empty());
      in.insert(record.document(in.now()));
      return record;
    });
  }

  public Optional<CallRecord> find(String id) {
    return documents
        .<Optional<Document>>read(in -> in.find(DocumentKind.TOOL_CALL, id))
        .filter(found -> found.label().equals(server))
        .map(CallRecord::of);
  }

  /// The call of a principal. One of somebody else is as if it were not there.
  public Optional<CallRecord> find(String id, String principal) {
    return find(id).filter(found -> found.principal().equals(principal));
  }

  /// Changes a call that has not ended.
  ///
  /// @return the call as it is now; empty if it is gone
  public Optional<CallRecord> change(String id, UnaryOperator<CallRecord> change) {
    return documents.write(in -> {
      var now = in.find(DocumentKind.TOOL_CALL, id).map(CallRecord::of);
      if (now.isEmpty() || now.get().hasEnded()) return now;
      var document = change.apply(now.get()).document(in.now());
      in.replace(document);
      in.signal(topic(id));
      return Optional.of(CallRecord.of(document));
    });
  }

  void delete(String id) {
    documents.write(in -> {
      in.signal(topic(id));
      return in.delete(DocumentKind.TOOL_CALL, id);
    });
  }

  ServiceStore.Watch watch(String id) {
    return documents.watch(topic(id));
  }

  private static String topic(String id) {
    return "mcp-call-" + id;
  }

  /// The tasks of a principal, the newest first.
  List<CallRecord> tasks(String principal, int offset, int limit) {
    var query =
        DocumentQuery.of(DocumentKind.TOOL_CALL)
            .labelled(server)
            .having(Json.of(Map.of("principal", principal, "task", "true")))
            .offset(offset)
            .limit(limit);
    return search(query);
  }

  /// The key by which the processes of this server know what they signed.
  byte[] key() {
    var id = "mcp-key-" + server;
    var found =
        documents.<Document>write(in -> {
          var known = in.find(DocumentKind.TOOL_CALL, id);
          if (known.isPresent()) return known.get();
          var bytes = new byte[KEY_BYTES];
          RANDOM.nextBytes(bytes);
          var body = Json.of(Map.of("key", HexFormat.of().formatHex(bytes)));
          var made = Document.of(DocumentKind.TOOL_CALL, id, in.now()).body(body);
          in.insert(made);
          return made;
        });
    return HexFormat.of().parseHex(Wire.text(Wire.tree(found.body()), "key"));
  }

  /// Those that have not ended, of everybody.
  public List<CallRecord> unfinished(int limit) {
    return search(
        DocumentQuery.of(DocumentKind.TOOL_CALL)
            .labelled(server)
            .in(CallRecord.WORKING, CallRecord.WAITING)
            .limit(limit));
  }

  /// Those whose time is over.
  List<CallRecord> expired() {
    return documents
        .read(in ->
            in.search(
                DocumentQuery.of(DocumentKind.TOOL_CALL)
                    .labelled(server)
                    .dueBy(in.now())
                    .limit(EXPIRED_AT_ONCE)))
        .stream()
        .map(CallRecord::of)
        .toList();
  }

  private List<CallRecord> search(DocumentQuery query) {
    return documents.read(in -> in.search(query)).stream().map(CallRecord::of).toList();
  }
}
