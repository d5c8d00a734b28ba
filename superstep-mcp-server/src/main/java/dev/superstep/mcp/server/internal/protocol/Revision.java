package dev.superstep.mcp.server.internal.protocol;

import java.util.List;

/// The revisions of the protocol that the server speaks.
public final class Revision {
  /// The one without sessions.
  public static final String MODERN = "2026-07-28";

  /// The newest with sessions, and the one whose tasks are part of the protocol.
  public static final String TASKS = "2025-11-25";

  /// Those with sessions, the newest first.
  public static final List<String> WITH_SESSIONS = List.of(TASKS, "2025-06-18", "2025-03-26");

  /// The prefix of names in `_meta` that the protocol defines.
  public static final String META = "io.modelcontextprotocol/";

  private Revision() {}

  /// All of them, the newest first.
  public static List<String> all() {
    var all = new java.util.ArrayList<String>();
    all.add(MODERN);
    all.addAll(WITH_SESSIONS);
    return all;
  }
}
