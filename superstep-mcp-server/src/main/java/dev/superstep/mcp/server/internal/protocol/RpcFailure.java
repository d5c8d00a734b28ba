package dev.superstep.mcp.server.internal.protocol;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// An error that a client gets in place of a result. Has no stack trace, since it is an answer.
public final class RpcFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;
  private final transient @Nullable JsonNode data;

  public RpcFailure(int code, String message) {
    this(code, message, null);
  }

  public RpcFailure(int code, String message, @Nullable JsonNode data) {
    super(message, null, false, false);
    this.code = code;
    this.data = data;
  }

  public static RpcFailure params(String message) {
    return new RpcFailure(Rpc.INVALID_PARAMS, message);
  }

  public int code() {
    return code;
  }

  Optional<JsonNode> data() {
    return Optional.ofNullable(data);
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
