package dev.superstep.credential;

import java.net.URI;
import java.util.Optional;

/// The answer to a [CredentialRequest]. Immutable.
public sealed interface CredentialAnswer {
  /// There is a credential.
  record Granted(Credential credential) implements CredentialAnswer {}

  /// The person has to consent first.
  ///
  /// @param reason why there is no credential
  /// @param page where the person consents, if there is such a page. It is saved with the question,
  ///   so it must have no secret, and must be equal each time it is asked for
  record ConsentNeeded(ConsentReason reason, Optional<URI> page) implements CredentialAnswer {}
}
