package dev.superstep.middleware;

import dev.superstep.json.SuperstepException;

/// A message was stopped because of what is in it, and the agent fails with that.
public final class ContentBlocked extends SuperstepException {
  private final String by;
  private final String what;

  ContentBlocked(String agent, String by, String where, String what) {
    super(
        "middleware.content-blocked",
        """
        `%s` of agent `%s` stopped the %s: %s. Change what was said, or what the middleware does \
        then.\
        """
            .formatted(by, agent, where, what));
    this.by = by;
    this.what = what;
  }

  /// The name of the middleware.
  public String by() {
    return by;
  }

  /// The kind of blocked content, without quoting it.
  public String what() {
    return what;
  }
}
