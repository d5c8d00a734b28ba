package dev.superstep.graph;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Codec;

/// A kind of question that nodes ask people, or other programs. Declared once as a constant, it
/// carries the types of what is asked and of the answer, so that an answer is checked before it is
/// stored, in whatever process it arrives. Immutable.
public record Question<P, A>(String name, Codec<P> payload, Codec<A> answer) {
  /// A question whose payload and answer are of these types.
  ///
  /// @throws dev.superstep.json.UnsupportedType if a type cannot be stored
  public static <P, A> Question<P, A> of(String name, Class<P> payload, Class<A> answer) {
    return new Question<>(name, Codec.of(payload), Codec.of(answer));
  }

  /// What an interrupt of this kind asks.
  public P read(Interrupt interrupt) {
    return payload.decode(interrupt.payload());
  }

  /// The answer to an interrupt of this kind.
  public Answer answer(Interrupt interrupt, A value) {
    return new Answer(interrupt.id(), answer.encode(value));
  }
}
