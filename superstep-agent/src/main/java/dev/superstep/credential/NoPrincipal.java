package dev.superstep.credential;

import dev.superstep.json.SuperstepException;

/// A tool needs the credential of the person for whom the run works, and the run works for nobody.
public final class NoPrincipal extends SuperstepException {
  private final String service;

  /// @param service for which a credential is needed
  public NoPrincipal(String service) {
    super(
        "credential.no-principal",
        "The run works for nobody, so there is no credential for `%s`. Give the run a principal: new RunPrincipal(id).in(options), also when it is resumed."
            .formatted(service));
    this.service = service;
  }

  /// The service.
  public String service() {
    return service;
  }
}
