package dev.superstep.mcp.server.internal.protocol;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// The way of messages to a client. Safe for many threads.
public interface Outlet {
  /// Nobody hears it.
  Outlet NOBODY = _ -> {};

  /// Sends a message, or drops it if nobody takes messages any more.
  void send(ObjectNode message);

  /// Has the client come again for what follows, where the way allows that.
  default void comeAgain(Duration after) {}
}
