package dev.superstep.node;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import java.util.Optional;
import java.util.function.Function;

/// A kind of question that nodes ask people, or other programs. Declared once as a constant, it
/// carries the types of what is asked and of the answer, so that an answer is checked before it is
/// stored, in whatever process it arrives. Immutable.
///
/// @param rule what is wrong with an answer of the right type, if anything is; free of side effects
public record Question<P, A>(
    String name, Codec<P> payload, Codec<A> answer, Function<A, Optional<String>> rule) {
  /// A question whose payload and answer are of these types.
  ///
  /// @throws dev.superstep.json.UnsupportedType if a type cannot be stored
  public static <P, A> Question<P, A> of(String name, Class<P> payload, Class<A> answer) {
    return of(name, Codec.of(payload), Codec.of(answer));
  }

  /// Like [#of(String, Class, Class)], for types that a class cannot name.
  public static <P, A> Question<P, A> of(String name, Codec<P> payload, Codec<A> answer) {
    return new Question<>(name, payload, answer, _ -> Optional.empty());
  }

  /// Returns a copy whose answers must also pass this rule before they are stored.
  ///
  /// ```java
  /// Question.of("discount", Order.class, Integer.class)
  ///     .checkedBy(d -> d <= 30 ? Optional.empty() : Optional.of("at most 30 percent"))
  /// ```
  ///
  /// @param rule what is wrong with the answer, as a sentence without a full stop, if anything is
  public Question<P, A> checkedBy(Function<A, Optional<String>> rule) {
    return new Question<>(name, payload, answer, rule);
  }

  /// Decodes the payload of an interrupt of this kind.
  public P read(Interrupt interrupt) {
    return payload.decode(interrupt.payload());
  }

  /// The answer to an interrupt of this kind.
  public Answer answer(Interrupt interrupt, A value) {
    return new Answer(interrupt.id(), answer.encode(value));
  }

  /// Why an answer cannot be stored, if it cannot.
  ///
  /// @throws dev.superstep.json.MalformedJson if it has the wrong shape
  public Optional<String> refusal(Json value) {
    return rule.apply(answer.decode(value));
  }
}
