package dev.superstep.credential;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// A credential could not be looked up. Its message holds no secret.
public final class CredentialFailed extends SuperstepException {
  private final String service;

  /// @param service for which it is
  /// @param why a sentence on what happened and what to do, without anything secret
  public CredentialFailed(String service, String why, @Nullable Throwable cause) {
    super(
        "credential.failed",
        "The credential for `%s` could not be looked up. %s".formatted(service, why),
        cause);
    this.service = service;
  }

  /// The failure of another's look-up, which this caller waited for.
  CredentialFailed(CredentialFailed other) {
    super(other.code(), String.valueOf(other.getMessage()), other);
    this.service = other.service;
  }

  /// The service.
  public String service() {
    return service;
  }
}
