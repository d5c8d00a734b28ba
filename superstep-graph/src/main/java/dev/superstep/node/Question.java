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
/// @param isApproval whether an answer counts only for exactly what was asked: [#asApproval]
public record Question<P, A>(
    String name,
    Codec<P> payload,
    Codec<A> answer,
    Function<A, Optional<String>> rule,
    boolean isApproval) {
  /// A question whose payload and answer are of these types. One that is answered by [Approval] is
  /// an [approval][#asApproval].
  ///
  /// @throws dev.superstep.json.UnsupportedType if a type cannot be stored
  public static <P, A> Question<P, A> of(String name, Class<P> payload, Class<A> answer) {
    return of(name, Codec.of(payload), Codec.of(answer));
  }

  /// Like [#of(String, Class, Class)], for types that a class cannot name.
  public static <P, A> Question<P, A> of(String name, Codec<P> payload, Codec<A> answer) {
    boolean isApproval = answer.type().equals(Approval.class.getSimpleName());
    return new Question<>(name, payload, answer, _ -> Optional.empty(), isApproval);
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
    return new Question<>(name, payload, answer, rule, isApproval);
  }

  /// Returns a copy whose answers approve something. Such an answer counts only on the thread on
  /// which it was given, only for the payload that was shown, and only for a time:
  /// [dev.superstep.graph.RunOptions#approvalTime]. A node that asks anything else by then, because
  /// the state was changed, asks again; so does a copy of the thread.
  ///
  /// So put into the payload everything that the answer depends on, and nothing that differs each
  /// time that the node runs.
  public Question<P, A> asApproval() {
    return new Question<>(name, payload, answer, rule, true);
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
