package dev.superstep.agent.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Json;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Tool calls that wait for a person, asked for together. The JSON is that of the agent inboxes
/// that people use with LangGraph.
///
/// @param actions the calls, in order
/// @param configs what may be decided of each tool that is among them
/// @param state a digest of the conversation that led to the calls, so that decisions made for one
///   conversation do not count for another
public record Review(
    @JsonProperty("action_requests") List<Action> actions,
    @JsonProperty("review_configs") List<Config> configs,
    @JsonProperty("state_digest") Optional<String> state) {
  /// The question to a person. The answer has one decision for each action, in the same order.
  public static final Question<Review, Decisions> QUESTION =
      Question.of("review", Review.class, Decisions.class)
          .checkedBy(answer ->
              answer.decisions().isEmpty()
                  ? Optional.of("there must be a decision for each action")
                  : Optional.empty())
          .asApproval();

  public Review {
    actions = List.copyOf(actions);
    configs = List.copyOf(configs);
  }

  /// Answers the reviews among open questions, with a decision on each call that waits. Questions
  /// of other kinds stay open.
  public static Answers decide(
      List<Interrupt> open, Function<? super Action, ? extends Decision> decision) {
    var answers = Answers.none();
    for (var interrupt : open) {
      if (!interrupt.question().equals(QUESTION.name())) continue;
      var decisions = new ArrayList<Decision>();
      for (var action : QUESTION.read(interrupt).actions()) decisions.add(decision.apply(action));
      answers = answers.and(QUESTION.answer(interrupt, new Decisions(decisions)));
    }
    return answers;
  }

  /// A call that waits.
  ///
  /// @param name the tool
  /// @param description why a person is asked
  public record Action(String name, Json args, Optional<String> description) {}

  /// The allowed decisions for calls of a tool.
  public record Config(
      @JsonProperty("action_name") String tool,
      @JsonProperty("allowed_decisions") List<String> allowed,
      @JsonProperty("args_schema") Optional<Json> schema) {
    public Config {
      allowed = List.copyOf(allowed);
    }
  }

  /// The decisions of a person.
  public record Decisions(List<Decision> decisions) {
    public Decisions {
      decisions = List.copyOf(decisions);
    }

    /// These decisions.
    public static Decisions of(Decision... all) {
      return new Decisions(List.of(all));
    }
  }

  /// A decision of a person on a call.
  public sealed interface Decision {
    /// Makes the call.
    static Decision approve() {
      return new Approve();
    }

    /// Does not make the call, and tells the model why.
    static Decision reject(String message) {
      return new Reject(Optional.of(message));
    }

    /// The call is made.
    @JsonTypeName("approve")
    record Approve() implements Decision {}

    /// Another call is made.
    @JsonTypeName("edit")
    record Edit(@JsonProperty("edited_action") Edited action) implements Decision {}

    /// The call is not made.
    ///
    /// @param message why, for the model
    @JsonTypeName("reject")
    record Reject(Optional<String> message) implements Decision {}

    /// The call is not made, and this is its result.
    @JsonTypeName("respond")
    record Respond(String message) implements Decision {}
  }

  /// The call that is made in place of another.
  public record Edited(String name, Json args) {}
}
