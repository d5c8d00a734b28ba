package dev.superstep.batch;

import dev.superstep.json.SuperstepException;
import java.util.Set;

/// A vendor refused a batch as a whole after it was submitted, and worked on none of its requests.
public final class BatchRefused extends SuperstepException {
  private final Set<String> blamed;

  /// @param blamed the ids of the requests that the vendor blames; empty if it does not say
  /// @param why what the vendor said
  public BatchRefused(Set<String> blamed, String why) {
    super("batch.refused", "The vendor refused a batch as a whole. " + why);
    this.blamed = Set.copyOf(blamed);
  }

  /// The ids of the requests that the vendor blames; empty if it does not say.
  public Set<String> blamed() {
    return blamed;
  }
}
