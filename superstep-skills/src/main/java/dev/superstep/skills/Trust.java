package dev.superstep.skills;

import dev.superstep.node.NodeContext;
import java.util.Optional;

/// Lets files be used that a person has confirmed, and asks about others. Immutable.
///
/// @param asks whether a person is asked; else what is not confirmed is refused
record Trust(Confirmations confirmations, boolean asks) {
  /// Returns nothing if the files may be used, else why they may not.
  ///
  /// @param node that asks; empty if there is nobody to ask
  Optional<String> refusal(UntrustedFiles files, Optional<NodeContext> node) {
    if (confirmations.isConfirmed(files.subject(), files.digest())) return Optional.empty();
    if (!asks || node.isEmpty()) {
      return Optional.of("No person has confirmed it as it is now, so it cannot be used.");
    }
    var answer = node.get().interrupt(UntrustedFiles.QUESTION, files);
    if (answer.approved()) {
      confirmations.confirm(files.subject(), files.digest());
      return Optional.empty();
    }
    var refused = "A person did not confirm it, so it cannot be used.";
    return Optional.of(answer.note().map(note -> refused + " They say: " + note).orElse(refused));
  }
}
