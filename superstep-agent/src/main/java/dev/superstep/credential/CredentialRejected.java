package dev.superstep.credential;

import dev.superstep.json.SuperstepException;

/// A service does not accept a credential, such as by status 401. Thrown by the code of a tool; the
/// call is then made once more with a new credential, and after that the person is asked.
public final class CredentialRejected extends SuperstepException {
  /// @param why what the service says, without anything secret
  public CredentialRejected(String why) {
    super("credential.rejected", "The service does not accept the credential: " + why);
  }
}
