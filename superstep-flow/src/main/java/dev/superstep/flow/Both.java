package dev.superstep.flow;

/// Two at once: what a step returns that forks. For more than two, let a step return a record of
/// your own: [FlowBuilder#split].
public record Both<A, B>(A left, B right) {
  /// These two.
  public static <A, B> Both<A, B> of(A left, B right) {
    return new Both<>(left, right);
  }
}
