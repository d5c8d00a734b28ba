package dev.superstep.server.security;

/// An authenticator cannot decide now, such as one whose issuer does not answer. The client gets
/// status 503.
public final class AuthenticatorUnavailable extends RuntimeException {
  private static final long serialVersionUID = 1;

  public AuthenticatorUnavailable(String message, Throwable cause) {
    super(message, cause);
  }
}
