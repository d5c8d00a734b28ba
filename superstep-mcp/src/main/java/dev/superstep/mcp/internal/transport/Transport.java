package dev.superstep.mcp.internal.transport;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Carries messages to a server and back. Safe for many threads.
public interface Transport extends AutoCloseable {
  /// Hears what comes, from the threads of the transport, one message after the other for each
  /// stream.
  interface Listener {
    void onMessage(JsonNode message);

    /// Nothing comes any more.
    void onClosed(String why);

    /// A request was not delivered, or its answer cannot come.
    void onUndelivered(long id, RequestFailed.Why why);
  }

  /// Begins to listen.
  void open(Listener listener);

  /// Hands a message over; does not wait for its delivery.
  ///
  /// @param id of the request that it is, or -1
  /// @param mirrored arguments of a tool that are repeated in headers, where there are such
  void send(ObjectNode message, long id, Map<String, String> mirrored);

  /// Nobody waits for the answer to a request any more.
  void forget(long id);

  /// The server has answered the greeting with this revision.
  void onInitialized(String revision);

  /// Returns whether a server sees by the end of a connection that a request is cancelled.
  default boolean cancelsByClosing() {
    return false;
  }

  /// The end of what the server has said beside its messages.
  String complaints();

  @Override
  void close();
}
