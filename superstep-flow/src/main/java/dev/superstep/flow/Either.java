package dev.superstep.flow;

/// The result of a step that chooses between two states. For more than two, let a step return a
/// sealed interface: [FlowBuilder#choose].
///
/// @param <A> the first state
/// @param <B> the second state
public sealed interface Either<A, B> {
  /// The first.
  record Left<A, B>(A value) implements Either<A, B> {}

  /// The second.
  record Right<A, B>(B value) implements Either<A, B> {}

  /// The first of two.
  static <A, B> Either<A, B> left(A value) {
    return new Left<>(value);
  }

  /// The second of two.
  static <A, B> Either<A, B> right(B value) {
    return new Right<>(value);
  }
}
