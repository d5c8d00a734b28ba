package dev.superstep.credential;

import java.util.List;

/// A request for the credential of a person at a service. Immutable.
///
/// @param service the name of the service, such as the audience of a token
/// @param scopes what is to be done there, in the words of the service
public record CredentialRequest(RunPrincipal principal, String service, List<String> scopes) {
  public CredentialRequest {
    if (service.isBlank()) throw new IllegalArgumentException("service must not be blank");
    scopes = List.copyOf(scopes);
  }
}
