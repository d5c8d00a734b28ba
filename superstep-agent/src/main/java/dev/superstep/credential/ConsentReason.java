package dev.superstep.credential;

/// The reason why a person is asked for consent.
public enum ConsentReason {
  /// The person has never consented.
  MISSING,
  /// The consent has ended.
  EXPIRED,
  /// The service does not accept the credential.
  REJECTED
}
