package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.ContentJson;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.LogLevel;
import dev.superstep.node.ContextKey;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The call of a client, as far as its client can be reached. Safe for many threads.
public final class ClientCall {
  /// The place of the call in the context of a run.
  public static final ContextKey<ClientCall> KEY = ContextKey.of("mcp.call", ClientCall.class);

  private final @Nullable ClientSession session;
  private final String principal;
  private final Outlet outlet;
  private final @Nullable JsonNode progressToken;
  private final int most;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger steps = new AtomicInteger();

  public ClientCall(
      @Nullable ClientSession session,
      String principal,
      Outlet outlet,
      @Nullable JsonNode progressToken,
      int most) {
    this.session = session;
    this.principal = principal;
    this.outlet = outlet;
    this.progressToken = progressToken;
    this.most = most;
  }

  /// Who calls, as the authenticator of the server knows them; `anonymous` where nobody needs to
  /// show that, and `local` on standard streams.
  public String principal() {
    return principal;
  }

  /// Tells the client how far the call is, if it wants to know.
  ///
  /// @param done may only grow
  /// @param total zero if it is not known
  public void progress(double done, double total, String text) {
    if (progressToken == null || sent.incrementAndGet() > most) return;
    var params = Wire.object();
    params.set("progressToken", progressToken);
    params.put("progress", done);
    if (total > 0) params.put("total", total);
    if (!text.isEmpty()) params.put("message", Wire.whole(text));
    outlet.send(Rpc.notification("notifications/progress", params));
  }

  /// Tells the client one more step.
  public void progress(String text) {
    progress(steps.incrementAndGet(), 0, text);
  }

  /// Writes into the log of the client, if it wants messages of this importance.
  public void log(LogLevel level, Json data) {
    var of = session;
    if (of == null || !of.hears(level) || sent.incrementAndGet() > most) return;
    var params = Wire.object().put("level", level.wireName());
    params.set("data", Wire.tree(data));
    outlet.send(Rpc.notification("notifications/message", params));
  }

  /// Returns whether the client lets servers ask its model.
  public boolean canSample() {
    var of = session;
    return of != null && !of.isStateless() && of.capabilities().has("sampling");
  }

  /// Asks the model of the client, which may ask its user first. Not stored: a call that is
  /// continued asks again.
  ///
  /// @param tokens the most of the answer
  /// @return the text of the answer
  /// @throws ClientRefused if the client has no model for servers, or does not answer
  public String sample(String question, int tokens) throws ClientRefused, InterruptedException {
    var of = session;
    if (of == null || !canSample()) {
      throw new ClientRefused("The client does not let servers ask its model.");
    }
    var params = Wire.object().put("maxTokens", tokens);
    var message = params.putArray("messages").addObject().put("role", "user");
    message.set("content", ContentJson.text(question));
    var reply = of.ask("sampling/createMessage", params, outlet);
    return Wire.text(reply.path("content"), "text");
  }

  /// Ends the stream of the answer and has the client come again for it later, where the way to it
  /// allows that: for long calls through proxies that end idle connections.
  public void comeAgain(Duration after) {
    outlet.comeAgain(after);
  }

  /// This call without the stream of its request, which ends before it.
  public ClientCall inBackground() {
    return new ClientCall(session, principal, Outlet.NOBODY, null, most);
  }

  /// Returns whether the client is there.
  boolean isHeard() {
    var of = session;
    return of != null && !of.isClosed();
  }

  public Optional<ClientSession> session() {
    return Optional.ofNullable(session);
  }

  public Outlet outlet() {
    return outlet;
  }

  @Override
  public String toString() {
    return "ClientCall[" + principal + "]";
  }
}
