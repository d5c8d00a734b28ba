package dev.superstep.credential;

/// Gives the credentials of people at services, at the moment of each call. Safe for many threads.
///
/// @see TokenExchange
/// @see CredentialVault
@FunctionalInterface
public interface CredentialProvider {
  /// Returns the credential, or what is missing.
  ///
  /// @throws CredentialFailed if that cannot be found out
  /// @throws InterruptedException if the run is cancelled
  CredentialAnswer credential(CredentialRequest request) throws InterruptedException;

  /// Notes that the service does not accept a credential, so that it is not given again.
  default void reject(CredentialRequest request, Credential rejected) {}

  /// Returns a provider that gives a credential again until shortly before it ends. While one is
  /// looked up, others who want the same wait for it, and share a failure.
  default CredentialProvider cached() {
    return new CachedCredentials(this, java.time.InstantSource.system());
  }
}
