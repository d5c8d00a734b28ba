package dev.superstep.acp;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.checkpoint.ThreadSummary;
import dev.superstep.graph.Threads;
import java.security.SecureRandom;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The sessions of an agent as they are stored: threads that carry its name. Those of others in the
/// same store are as if they were not there. Safe for many threads.
final class StoredSessions {
  static final String AGENT = "acp.agent";
  static final String FOLDER = "acp.folder";
  static final String TITLE = "acp.title";

  private static final int ID_BYTES = 16;
  private static final String ID = "acp-[0-9a-f]{32}";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Checkpointer store;
  private final String agent;
  private final int page;

  /// @param page the most sessions of a page
  StoredSessions(Checkpointer store, String agent, int page) {
    this.store = store;
    this.agent = agent;
    this.page = page;
  }

  static String newId() {
    var bytes = new byte[ID_BYTES];
    RANDOM.nextBytes(bytes);
    return "acp-" + HexFormat.of().formatHex(bytes);
  }

  /// Finds a session.
  Optional<ThreadSummary> find(String id) {
    if (!id.matches(ID)) return Optional.empty();
    return Threads.in(store)
        .find(id)
        .filter(found -> agent.equals(found.checkpoint().metadata().get(AGENT)));
  }

  void delete(String id) {
    var _ = Threads.in(store).delete(id);
  }

  /// A page of the list, the newest first.
  ///
  /// @param folder of the sessions; empty for all
  /// @param after the last one of the page before; empty for the first page
  ObjectNode list(String folder, String after) throws RpcFailure {
    var query = ThreadQuery.newest(page).where(AGENT, agent);
    if (!folder.isEmpty()) query = query.where(FOLDER, folder);
    if (!after.isEmpty()) {
      if (find(after).isEmpty()) throw RpcFailure.params("`cursor` was not given by this agent.");
      query = query.after(after);
    }
    var found = Threads.in(store).list(query);
    var json = Wire.object();
    var sessions = json.putArray("sessions");
    for (var each : found) {
      var metadata = each.checkpoint().metadata();
      var session = sessions.addObject().put("sessionId", each.thread());
      session.put("cwd", metadata.getOrDefault(FOLDER, ""));
      var title = metadata.getOrDefault(TITLE, "");
      if (!title.isEmpty()) session.put("title", title);
      var at = each.checkpoint().at().truncatedTo(ChronoUnit.MILLIS);
      session.put("updatedAt", at.toString());
    }
    if (found.size() == page) json.put("nextCursor", found.getLast().thread());
    return json;
  }
}
