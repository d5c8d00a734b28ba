package dev.superstep.lobe;

/// Decides what a lobe may see beyond what it declares. Free of side effects, and decides alike
/// whenever it is asked: a lobe that runs again is asked for again. Safe for many threads.
///
/// ```java
/// request -> request.lobe().equals("critic") ? Ruling.grant() : Ruling.deny("not your business")
/// ```
@FunctionalInterface
public interface InspectionPolicy {
  /// Decides.
  Ruling rule(InspectionRequest request);

  /// A decision on a request.
  ///
  /// @param reason why it was denied; empty if it was granted
  record Ruling(boolean granted, String reason) {
    private static final Ruling GRANTED = new Ruling(true, "");

    /// It may see it.
    public static Ruling grant() {
      return GRANTED;
    }

    /// It may not.
    public static Ruling deny(String reason) {
      return new Ruling(false, reason);
    }
  }

  /// Grants everything that may be inspected at all.
  static InspectionPolicy granting() {
    return _ -> Ruling.grant();
  }

  /// Denies everything.
  static InspectionPolicy denying() {
    return _ -> Ruling.deny("nothing may be inspected");
  }
}
