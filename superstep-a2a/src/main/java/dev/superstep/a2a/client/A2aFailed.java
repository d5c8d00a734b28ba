package dev.superstep.a2a.client;

import dev.superstep.json.SuperstepException;

/// The failure of an agent elsewhere, or of the way to it.
public final class A2aFailed extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final int status;

  private A2aFailed(String code, int status, String message) {
    super(code, message);
    this.status = status;
  }

  static A2aFailed refused(A2aAgent agent, int code, String why) {
    return new A2aFailed(
        "a2a.refused",
        code,
        "%s refuses with code %d: %s. Check the address, the key and the message."
            .formatted(agent, code, shown(why)));
  }

  static A2aFailed ended(A2aAgent agent, String state, String why) {
    return new A2aFailed(
        "a2a.ended",
        0,
        "The task at %s ended as %s: %s. Look at it there.".formatted(agent, state, shown(why)));
  }

  static A2aFailed misbehaved(A2aAgent agent, String why) {
    return new A2aFailed(
        "a2a.misbehaved", 0, "%s does not speak A2A 1.0: %s.".formatted(agent, shown(why)));
  }

  static A2aFailed unreachable(A2aAgent agent, Exception cause) {
    var failed =
        new A2aFailed(
            "a2a.unreachable",
            0,
            "%s cannot be reached: %s. A task that was begun goes on there; this run can be resumed."
                .formatted(agent, cause));
    failed.initCause(cause);
    return failed;
  }

  static A2aFailed unverified(A2aAgent agent, String why) {
    return new A2aFailed(
        "a2a.unverified",
        0,
        "%s is not asked, since %s. Ask its operator for the key, or leave out verifiedBy(…)."
            .formatted(agent, shown(why)));
  }

  static A2aFailed slow(A2aAgent agent) {
    return new A2aFailed(
        "a2a.slow",
        0,
        "%s began to answer, and did not come to an end within %d ms. A task that was begun goes on there; this run can be resumed, with more time by timeout(…)."
            .formatted(agent, agent.timeout().toMillis()));
  }

  private static String shown(String text) {
    return text.length() <= 500 ? text : text.substring(0, 500) + "…";
  }

  /// The code of JSON-RPC or the status of HTTP; 0 if it was neither.
  public int status() {
    return status;
  }
}
