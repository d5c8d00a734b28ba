package dev.superstep.mcp.internal.transport;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The failure of a request, as a transport or a session reports it. [#why] says what it was.
public final class RequestFailed extends Exception {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial")
  private final Why why;

  /// A failure.
  public RequestFailed(Why why) {
    super(why.toString(), why instanceof NotConnected(_, var cause) ? cause : null);
    this.why = why;
  }

  /// The cause.
  public Why why() {
    return why;
  }

  /// A cause of failure.
  public sealed interface Why {}

  /// A server that cannot be started or reached, or that does not greet back.
  public record NotConnected(String how, @Nullable Throwable cause) implements Why {}

  /// A connection that ended while a request was on its way.
  public record Lost(String method, String how) implements Why {}

  /// A request that the server answered with an error.
  ///
  /// @param data of the error, as JSON; empty if it has none
  public record Refused(String method, int error, String message, String data) implements Why {}

  /// A request without an answer in its time.
  public record TimedOut(String method, Duration most) implements Why {}

  /// A task whose result cannot come any more.
  public record TaskLost(String task, String how) implements Why {}

  /// A server that breaks the protocol or a limit.
  public record Misbehaved(String how) implements Why {}

  /// A server that wants credentials, or other ones.
  public record Unauthorized(int status) implements Why {}
}
