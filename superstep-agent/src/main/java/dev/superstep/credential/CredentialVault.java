package dev.superstep.credential;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// A place for the credentials of people, each by person and service. Safe for many threads.
public interface CredentialVault {
  /// The credential of a person at a service, also one that has ended.
  Optional<Credential> find(RunPrincipal principal, String service);

  /// Puts a credential in the place of the one before, such as when a person has consented.
  void put(RunPrincipal principal, String service, Credential credential);

  /// Removes a credential.
  ///
  /// @return whether there was one
  boolean remove(RunPrincipal principal, String service);

  /// A vault that is gone with the process.
  static CredentialVault inMemory() {
    return new MemoryVault();
  }

  /// A provider of what is in this vault.
  ///
  /// @param page where a person consents, if there is such a page: without a secret, and equal each
  ///   time
  default CredentialProvider provider(Function<CredentialRequest, Optional<URI>> page) {
    return new CredentialProvider() {
      @Override
      public CredentialAnswer credential(CredentialRequest request) {
        var found = find(request.principal(), request.service());
        if (found.filter(one -> one.lasts(Instant.now(), Duration.ZERO)).isPresent()) {
          return new CredentialAnswer.Granted(found.get());
        }
        var reason = found.isPresent() ? ConsentReason.EXPIRED : ConsentReason.MISSING;
        return new CredentialAnswer.ConsentNeeded(reason, page.apply(request));
      }

      @Override
      public void reject(CredentialRequest request, Credential rejected) {
        var found = find(request.principal(), request.service());
        // Another one may be there by now.
        if (found.filter(one -> one.secret().equals(rejected.secret())).isPresent()) {
          remove(request.principal(), request.service());
        }
      }
    };
  }
}
