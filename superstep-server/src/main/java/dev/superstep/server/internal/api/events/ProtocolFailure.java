package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.http.HttpFailure;
import java.util.Locale;

/// The failure of a command, with the protocol's code for it.
final class ProtocolFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Code code;

  /// The codes of the protocol.
  enum Code {
    INVALID_ARGUMENT,
    UNKNOWN_COMMAND,
    UNKNOWN_ERROR,
    NO_SUCH_RUN,
    NO_SUCH_SUBSCRIPTION,
    NO_SUCH_NAMESPACE,
    NO_SUCH_INTERRUPT,
    NO_SUCH_CHECKPOINT,
    PERMISSION_DENIED,
    NOT_SUPPORTED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  ProtocolFailure(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /// The failure of a command for one of a request.
  static ProtocolFailure of(HttpFailure failure) {
    var code =
        switch (failure.status()) {
          case 401, 403 -> Code.PERMISSION_DENIED;
          case 404 -> Code.NO_SUCH_RUN;
          case 400, 409, 413, 422 -> Code.INVALID_ARGUMENT;
          case 501 -> Code.NOT_SUPPORTED;
          default -> Code.UNKNOWN_ERROR;
        };
    return new ProtocolFailure(code, failure.text());
  }

  Code code() {
    return code;
  }
}
