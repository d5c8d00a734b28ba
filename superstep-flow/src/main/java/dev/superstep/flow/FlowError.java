package dev.superstep.flow;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An error of a flow; each cause has its own class. After any of them the flow is where it was
/// before the call, with the steps that finished, so a failed call can be repeated.
public abstract sealed class FlowError extends SuperstepException {
  private FlowError(String code, String message) {
    super(code, message);
  }

  private FlowError(String code, String message, @Nullable Throwable cause) {
    super(code, message, cause);
  }

  private static String quoted(List<String> all) {
    return all.isEmpty()
        ? "none"
        : all.stream().map(s -> "`" + s + "`").collect(Collectors.joining(", "));
  }

  /// Somebody asked for a state that the flow does not have.
  public static final class NotFound extends FlowError {

    NotFound(String flow, String state, List<String> known) {
      super(
          "flow.not-found",
          "Flow `%s` has no state `%s`. It has %s.".formatted(flow, state, quoted(known)));
    }
  }

  /// A type cannot be a state.
  public static final class BuildError extends FlowError {

    BuildError(String flow, String type, String why) {
      super(
          "flow.build",
          "Flow `%s`: %s cannot be a state: %s."
              .formatted(flow, type, why.replaceFirst("\\.$", "")));
    }
  }

  /// The steps of a flow do not fit together.
  public static final class Invalid extends FlowError {
    private final List<Problem> problems;

    Invalid(String flow, List<Problem> problems) {
      super(
          "flow.invalid",
          "Flow `%s` does not fit together:%s"
              .formatted(
                  flow,
                  problems.stream()
                      .map(p -> "\n- " + p.message() + " (" + p.code() + ")")
                      .collect(Collectors.joining())));
      this.problems = List.copyOf(problems);
    }

    /// Everything that is wrong.
    public List<Problem> problems() {
      return problems;
    }
  }

  /// A value cannot be written as JSON.
  public static final class SerializeError extends FlowError {

    SerializeError(String flow, String what, Throwable cause) {
      super(
          "flow.serialize",
          "Flow `%s`: %s cannot be written: %s".formatted(flow, what, cause.getMessage()),
          cause);
    }
  }

  /// JSON is not a value of the type that it should be.
  public static final class DeserializeError extends FlowError {
    private final String what;

    DeserializeError(String flow, String what, @Nullable String why, @Nullable Throwable cause) {
      super("flow.deserialize", "Flow `%s`: %s does not fit: %s".formatted(flow, what, why), cause);
      this.what = what;
    }

    /// The value that could not be read.
    public String what() {
      return what;
    }
  }

  /// A snapshot, or a history, cannot be used.
  public static final class SnapLoadError extends FlowError {
    private final List<String> diff;

    SnapLoadError(String why, @Nullable Throwable cause) {
      this(why, List.of(), cause);
    }

    SnapLoadError(String why, List<String> diff, @Nullable Throwable cause) {
      super("flow.snapshot-load", "This is no snapshot to go on from: " + why, cause);
      this.diff = List.copyOf(diff);
    }

    /// The changes in the definition of the flow: lines that begin with `- ` for the old one and `+
    /// ` for the new one. Empty if there is another cause.
    public List<String> diff() {
      return diff;
    }
  }

  /// A snapshot cannot be saved.
  public static final class SnapStoreError extends FlowError {

    SnapStoreError(String where, Throwable cause) {
      super(
          "flow.snapshot-store",
          "The snapshot cannot be written to %s: %s".formatted(where, cause),
          cause);
    }
  }

  /// An agent failed. The flow can be resumed; finished steps do not run again.
  public static final class AgentError extends FlowError {
    private final String state;

    AgentError(String flow, String state, String why, @Nullable Throwable cause) {
      super(
          "flow.agent",
          "Flow `%s`: the agent that takes `%s` failed: %s".formatted(flow, state, why),
          cause);
      this.state = state;
    }

    /// The state that the agent takes.
    public String state() {
      return state;
    }
  }

  /// A step failed. The flow can be resumed, and starts with that step.
  public static final class StepError extends FlowError {
    private final String state;

    StepError(String flow, String state, String why, @Nullable Throwable cause) {
      super(
          "flow.step",
          "Flow `%s`: the step that takes `%s` failed: %s".formatted(flow, state, why),
          cause);
      this.state = state;
    }

    /// The state that the step takes.
    public String state() {
      return state;
    }
  }

  /// A step of a loop has reached its limit of runs.
  public static final class LoopLimit extends FlowError {
    private final String state;
    private final int limit;

    LoopLimit(String flow, String state, int limit) {
      super(
          "flow.loop-limit",
          "Flow `%s`: the step that takes `%s` has run %d times, and may not run again. Allow more with `loops(...)`, or lead out of the loop."
              .formatted(flow, state, limit));
      this.state = state;
      this.limit = limit;
    }

    /// The state that the step takes.
    public String state() {
      return state;
    }

    /// The limit of runs.
    public int limit() {
      return limit;
    }
  }

  /// A run needed more turns or more nesting than its limits allow.
  public static final class LimitError extends FlowError {
    private final String what;
    private final int limit;

    LimitError(String flow, String what, int limit) {
      super(
          "flow.limit",
          "Flow `%s` needs more than %d %s. Give it more by RunLimits.%s, or let it end sooner."
              .formatted(flow, limit, what.equals("turns") ? "turns of models" : "levels", what));
      this.what = what;
      this.limit = limit;
    }

    /// `turns` or `depth`.
    public String what() {
      return what;
    }

    /// The limit.
    public int limit() {
      return limit;
    }
  }

  /// There are states, but no step can run.
  public static final class Deadlock extends FlowError {
    private final List<String> stuck;

    Deadlock(String flow, List<String> stuck, List<String> missing, Throwable cause) {
      super(
          "flow.deadlock",
          "Flow `%s` is stuck with %s: nothing makes %s any more. Lead every branch to what waits for it."
              .formatted(flow, quoted(stuck), quoted(missing)),
          cause);
      this.stuck = List.copyOf(stuck);
    }

    /// The states that no step takes.
    public List<String> stuck() {
      return stuck;
    }
  }

  /// A state was produced again before it was consumed.
  public static final class Conflict extends FlowError {
    private final String state;

    Conflict(String flow, String state, List<String> by, Throwable cause) {
      super(
          "flow.conflict",
          "Flow `%s`: state `%s` came a second time, by the step that takes %s, before it was taken. Let branches that make the same state exclude each other, or join them."
              .formatted(flow, state, quoted(by)),
          cause);
      this.state = state;
    }

    /// The state.
    public String state() {
      return state;
    }
  }

  /// The flow waits for an answer, and was run without one.
  public static final class ResumeRequired extends FlowError {
    private final List<PendingWait> open;

    ResumeRequired(String flow, List<PendingWait> open) {
      super(
          "flow.resume-required",
          "Flow `%s` waits for %s. Answer with `resume(id, answer)`."
              .formatted(flow, quoted(open.stream().map(PendingWait::toolId).toList())));
      this.open = List.copyOf(open);
    }

    /// The answers that it waits for.
    public List<PendingWait> open() {
      return open;
    }

    /// The tool id of the first one.
    public String toolId() {
      return open.getFirst().toolId();
    }
  }

  /// An answer was given, but the flow waits for none.
  public static final class UnexpectedResumption extends FlowError {

    UnexpectedResumption(String flow, String toolId) {
      super(
          "flow.unexpected-resumption",
          "Flow `%s` waits for nothing, but was given an answer to `%s`. Go on with `next()`."
              .formatted(flow, toolId));
    }
  }

  /// An answer was given, but it fits none of the pending waits, or several.
  public static final class ResumeMismatchError extends FlowError {
    private final List<PendingWait> expected;

    ResumeMismatchError(String flow, String given, List<PendingWait> expected, String why) {
      super(
          "flow.resume-mismatch",
          "Flow `%s` cannot take an answer to `%s`: %s. It waits for:%s"
              .formatted(
                  flow,
                  given,
                  why,
                  expected.stream()
                      .map(s -> "\n- `" + s.id() + "` (" + s.toolId() + ")")
                      .collect(Collectors.joining())));
      this.expected = List.copyOf(expected);
    }

    /// The answers that the flow waits for.
    public List<PendingWait> expected() {
      return expected;
    }
  }

  /// The output was requested from a flow that has none yet.
  public static final class NotDone extends FlowError {
    NotDone(String why) {
      super(
          "flow.not-done",
          "The flow has no output: " + why + ". Use `switch` on the outcome to tell these apart.");
    }
  }
}
