package dev.superstep.mcp.server.internal.call;

import dev.superstep.json.Json;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.RpcFailure;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs what a client carries from one call to the next, and checks what comes back. Safe for many
/// threads.
public final class RequestStates {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int LENGTH_MAX = 4_000;
  private final CallStore store;
  private final Duration most;

  /// @param most how long one is taken
  public RequestStates(CallStore store, Duration most) {
    this.store = store;
    this.most = most;
  }

  /// The place of a call: which one, and which of its questions are open.
  public record State(String call, String questions) {
    /// Returns whether these are the questions of the state.
    public boolean isFor(List<QuestionForm> open) {
      return questions.equals(digest(ids(open)));
    }
  }

  private static String ids(List<QuestionForm> open) {
    return String.join(",", open.stream().map(form -> form.asked().id()).toList());
  }

  /// The state of a call that waits.
  public String write(CallRecord call, List<QuestionForm> open) {
    var body =
        Wire.object()
            .put("call", call.id())
            .put("questions", digest(ids(open)))
            .put("principal", call.principal())
            .put("tool", call.tool())
            .put("arguments", digest(call.arguments().canonical().text()))
            .put("until", Instant.now().plus(most).getEpochSecond());
    var payload = encoded(Wire.write(body).getBytes(StandardCharsets.UTF_8));
    return payload + "." + encoded(sign(payload));
  }

  /// Checks a state.
  ///
  /// @throws RpcFailure if it was changed, is too old, or is of another principal, tool or
  ///   arguments
  public State read(String text, String principal, String tool, Json arguments) throws RpcFailure {
    int dot = text.indexOf('.');
    if (dot < 1 || text.length() > LENGTH_MAX) throw refused();
    var payload = text.substring(0, dot);
    if (!MessageDigest.isEqual(sign(payload), decoded(text.substring(dot + 1)))) throw refused();
    var body = Wire.tree(Json.parse(new String(decoded(payload), StandardCharsets.UTF_8)));
    boolean isOurs =
        Wire.text(body, "principal").equals(principal)
            && Wire.text(body, "tool").equals(tool)
            && Wire.text(body, "arguments").equals(digest(arguments.canonical().text()));
    if (!isOurs) throw refused();
    if (body.path("until").asLong(0) < Instant.now().getEpochSecond()) {
      throw RpcFailure.params("The request state is too old.");
    }
    return new State(Wire.text(body, "call"), Wire.text(body, "questions"));
  }

  /// A single error for all reasons, so that it tells nothing about the parts.
  private static RpcFailure refused() {
    return RpcFailure.params(
        "The request state is not one of this server, or not for this request.");
  }

  private byte[] sign(String payload) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(store.key(), ALGORITHM));
      return mac.doFinal(payload.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  private static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }
}
