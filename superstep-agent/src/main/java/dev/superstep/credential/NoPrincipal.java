package dev.superstep.credential;

import dev.superstep.json.SuperstepException;

/// A tool needs the credential of the person for whom the run works, and the run has no principal.
public final class NoPrincipal extends SuperstepException {
  private final String service;

  /// @param service for which a credential is needed
  public NoPrincipal(String service) {
    super(
        "credential.no-principal",
        "The run has no principal, so there is no credential for `%s`. Give it one: new RunPrincipal(id).in(options), also when it is resumed."
            .formatted(service));
    this.service = service;
  }

  /// The service.
  public String service() {
    return service;
  }
}
