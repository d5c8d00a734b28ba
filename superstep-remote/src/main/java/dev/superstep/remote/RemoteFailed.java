package dev.superstep.remote;

import dev.superstep.json.SuperstepException;

/// The failure of a graph elsewhere, or of the server that runs it.
public final class RemoteFailed extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final int status;

  RemoteFailed(int status, String message) {
    super("remote.failed", message);
    this.status = status;
  }

  static RemoteFailed refused(RemoteGraph graph, int status, String text) {
    return new RemoteFailed(
        status,
        "%s answered with status %d: %s. Check its address, its key and the input."
            .formatted(graph, status, text));
  }

  static RemoteFailed ended(RemoteGraph graph, String error, String message) {
    return new RemoteFailed(
        0, "%s failed with %s: %s. Look at its run there.".formatted(graph, error, message));
  }

  static RemoteFailed unreachable(RemoteGraph graph, Exception cause) {
    var failed =
        new RemoteFailed(
            0,
            "%s cannot be reached: %s. Its run goes on there; this one can be resumed."
                .formatted(graph, cause));
    failed.initCause(cause);
    return failed;
  }

  /// The status of HTTP, or 0 if it was not that.
  public int status() {
    return status;
  }
}
