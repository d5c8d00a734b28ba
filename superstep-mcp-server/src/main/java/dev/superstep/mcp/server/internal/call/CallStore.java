package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.options.McpPrincipalLimits;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.ServiceTransaction;
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
  private static final String LOCK = "mcp-principal-";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ServiceStore documents;
  private final String server;
  private final McpPrincipalLimits limits;

  public CallStore(ServiceStore documents, String server, McpPrincipalLimits limits) {
    this.limits = limits;
    this.documents = documents;
    this.server = server;
  }

  /// A new one.
  ///
  /// @return empty if the principal has as many as it may
  Optional<CallRecord> begin(
      String principal, ServedTool tool, Json arguments, boolean isTask, Duration keep) {
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    var id = HexFormat.of().formatHex(bytes);
    return documents.write(in -> {
      in.lock(LOCK + server + "-" + principal);
      if (isFull(in, principal, isTask)) return Optional.empty();
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
              Optional.empty(),
              Optional.empty());
      in.insert(record.document(in.now()));
      return Optional.of(record);
    });
  }

  private boolean isFull(ServiceTransaction in, String principal, boolean isTask) {
    return isTask
        ? in.count(of(principal, true)) >= limits.tasks()
        : in.count(of(principal, false).in(CallRecord.WORKING, CallRecord.WAITING))
            >= limits.openCalls();
  }

  private DocumentQuery of(String principal, boolean areTasks) {
    var about = Json.of(Map.of("principal", principal, "task", Boolean.toString(areTasks)));
    return DocumentQuery.of(DocumentKind.TOOL_CALL).labelled(server).having(about);
  }

  /// Ends a call that is no task. Its result stays for a time, if its client has its id.
  void end(CallRecord record, String status, Json result) {
    documents.write(in -> {
      in.lock(LOCK + server + "-" + record.principal());
      var now = in.find(DocumentKind.TOOL_CALL, record.id()).map(CallRecord::of);
      if (now.isEmpty() || now.get().hasEnded()) return false;
      var until = Duration.between(now.get().created(), in.now()).plus(limits.keep());
      in.replace(now.get().in(status, "").with(result).kept(until).document(in.now()));
      in.signal(topic(record.id()));
      var ended =
          of(record.principal(), false)
              .in(CallRecord.COMPLETED, CallRecord.FAILED, CallRecord.CANCELLED);
      var old =
          ended
              .by(DocumentQuery.Order.UPDATED, true)
              .offset(limits.finishedCalls())
              .limit(EXPIRED_AT_ONCE);
      for (var one : in.search(old)) in.delete(DocumentKind.TOOL_CALL, one.id());
      return true;
    });
  }

  /// A call whose time is not over.
  public Optional<CallRecord> find(String id) {
    return documents.<Optional<CallRecord>>read(in ->
        in.find(DocumentKind.TOOL_CALL, id)
            .filter(found -> found.label().equals(server))
            .map(CallRecord::of)
            .filter(found -> found.created().plus(found.keep()).isAfter(in.now())));
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

  /// Claims a call that is to be begun, unless another process has just done so.
  ///
  /// @param most time in which whoever claimed it has begun it
  boolean claim(String id, Duration most) {
    return documents.write(in -> {
      var now = in.find(DocumentKind.TOOL_CALL, id).map(CallRecord::of);
      boolean isFree =
          now.filter(one -> one.status().equals(CallRecord.WORKING))
              .filter(one -> !one.updated().plus(most).isAfter(in.now()))
              .isPresent();
      if (isFree) in.replace(now.get().document(in.now()));
      return isFree;
    });
  }

  public void delete(String id) {
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
    return search(of(principal, true).offset(offset).limit(limit));
  }

  /// The key by which the processes of this server know what they signed.
  byte[] key() {
    var id = "mcp-key-" + server;
    var kept = documents.<Optional<Document>>read(in -> in.find(DocumentKind.TOOL_CALL, id));
    var found = kept.orElseGet(() -> newKey(id));
    return HexFormat.of().parseHex(Wire.text(Wire.tree(found.body()), "key"));
  }

  private Document newKey(String id) {
    return documents.<Document>write(in -> {
      var known = in.find(DocumentKind.TOOL_CALL, id);
      if (known.isPresent()) return known.get();
      var bytes = new byte[KEY_BYTES];
      RANDOM.nextBytes(bytes);
      var body = Json.of(Map.of("key", HexFormat.of().formatHex(bytes)));
      var made = Document.of(DocumentKind.TOOL_CALL, id, in.now()).body(body);
      in.insert(made);
      return made;
    });
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
