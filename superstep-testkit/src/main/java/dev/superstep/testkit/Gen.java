package dev.superstep.testkit;

/// Makes random values for a [Property], by asking for choices.
///
/// ```java
/// Gen<Money> money = choices -> new Money(choices.between(0, 100), choices.of(EUR, USD));
/// ```
@FunctionalInterface
public interface Gen<T> {
  /// A value. The same choices must always make the same value.
  T draw(Choices choices);
}
