package dev.superstep.mcp.server;

import dev.superstep.json.Json;
import dev.superstep.mcp.server.internal.call.ClientCall;
import dev.superstep.mcp.server.internal.call.ClientRefused;
import dev.superstep.mcp.server.options.LogLevel;
import dev.superstep.node.NodeContext;
import dev.superstep.tool.ToolContext;
import java.time.Duration;
import java.util.Optional;

/// The call of a client, for the nodes and tools that do its work. A call that another process
/// continues no longer has a client: then nothing is passed on. Safe for many threads.
///
/// ```java
/// McpCall.of(context).ifPresent(call -> call.progress(3, 10, "third file"));
/// ```
public final class McpCall {
  private final ClientCall call;

  private McpCall(ClientCall call) {
    this.call = call;
  }

  /// The call that a tool is part of, if it is one of a client.
  public static Optional<McpCall> of(ToolContext context) {
    return of(context.node());
  }

  /// The call that a node is part of, if it is one of a client.
  public static Optional<McpCall> of(NodeContext context) {
    return context.find(ClientCall.KEY).map(McpCall::new);
  }

  /// Who calls, as the authenticator of the server knows them; `anonymous` where nobody needs to
  /// show that, and `local` on standard streams.
  public String principal() {
    return call.principal();
  }

  /// Tells the client how far the call is, if it wants to know.
  ///
  /// @param done may only grow
  /// @param total zero if it is not known
  public void progress(double done, double total, String text) {
    call.progress(done, total, text);
  }

  /// Tells the client one more step.
  public void progress(String text) {
    call.progress(text);
  }

  /// Writes into the log of the client, if it wants messages of this importance.
  public void log(LogLevel level, Json data) {
    call.log(level, data);
  }

  /// Returns whether the client lets servers ask its model.
  public boolean canSample() {
    return call.canSample();
  }

  /// Asks the model of the client, which may ask its user first. Not stored: a call that is
  /// continued asks again.
  ///
  /// @param tokens the most of the answer
  /// @return the text of the answer
  /// @throws McpClientFailed if the client has no model for servers, or does not answer
  public String sample(String question, int tokens) throws InterruptedException {
    try {
      return call.sample(question, tokens);
    } catch (ClientRefused e) {
      throw new McpClientFailed(String.valueOf(e.getMessage()));
    }
  }

  /// Ends the stream of the answer and has the client come again for it later, where the way to it
  /// allows that: for long calls through proxies that end idle connections.
  public void comeAgain(Duration after) {
    call.comeAgain(after);
  }

  @Override
  public String toString() {
    return "McpCall[" + call.principal() + "]";
  }
}
