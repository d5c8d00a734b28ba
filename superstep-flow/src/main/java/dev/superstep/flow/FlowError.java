package dev.superstep.flow;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// An error of a flow; each cause has its own class. After any of them the flow is where it was
/// before the call, with the steps that finished, so a failed call can be repeated.
public abstract sealed class FlowError extends SuperstepException {
  private static final long serialVersionUID = 1L;

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
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final String state;

    NotFound(String flow, String state, List<String> known) {
      super(
          "flow.not-found",
          "Flow `%s` has no state `%s`. It has %s.".formatted(flow, state, quoted(known)),
          null);
      this.flow = flow;
      this.state = state;
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The requested state.
    public String state() {
      return state;
    }
  }

  /// A type cannot be a state.
  public static final class BuildError extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final String type;

    BuildError(String flow, String type, String why) {
      super(
          "flow.build",
          "Flow `%s`: %s cannot be a state: %s."
              .formatted(flow, type, why.replaceFirst("\\.$", "")),
          null);
      this.flow = flow;
      this.type = type;
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The name of the class.
    public String type() {
      return type;
    }
  }

  /// The steps of a flow do not fit together.
  public static final class Invalid extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final transient List<Problem> problems;

    Invalid(String flow, List<Problem> problems) {
      super(
          "flow.invalid",
          "Flow `%s` does not fit together:%s"
              .formatted(
                  flow,
                  problems.stream()
                      .map(p -> "\n- " + p.message() + " (" + p.code() + ")")
                      .collect(Collectors.joining())),
          null);
      this.flow = flow;
      this.problems = List.copyOf(problems);
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// Everything that is wrong.
    public List<Problem> problems() {
      return problems;
    }
  }

  /// A value cannot be written as JSON.
  public static final class SerializeError extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String what;

    SerializeError(String flow, String what, Throwable cause) {
      super(
          "flow.serialize",
          "Flow `%s`: %s cannot be written: %s".formatted(flow, what, cause.getMessage()),
          cause);
      this.what = what;
    }

    /// The value that could not be written.
    public String what() {
      return what;
    }
  }

  /// JSON is not a value of the type that it should be.
  public static final class DeserializeError extends FlowError {
    private static final long serialVersionUID = 1L;
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
    private static final long serialVersionUID = 1L;
    private final transient List<String> diff;

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
    private static final long serialVersionUID = 1L;
    private final String where;

    SnapStoreError(String where, Throwable cause) {
      super(
          "flow.snapshot-store",
          "The snapshot cannot be written to %s: %s".formatted(where, cause),
          cause);
      this.where = where;
    }

    /// The place where it could not be saved.
    public String where() {
      return where;
    }
  }

  /// An agent failed. The flow can be resumed; finished steps do not run again.
  public static final class AgentError extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final String state;

    AgentError(String flow, String state, String why, @Nullable Throwable cause) {
      super(
          "flow.agent",
          "Flow `%s`: the agent that takes `%s` failed: %s".formatted(flow, state, why),
          cause);
      this.flow = flow;
      this.state = state;
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The state that the agent takes.
    public String state() {
      return state;
    }
  }

  /// A step failed. The flow can be resumed, and starts with that step.
  public static final class StepError extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final String state;

    StepError(String flow, String state, String why, @Nullable Throwable cause) {
      super(
          "flow.step",
          "Flow `%s`: the step that takes `%s` failed: %s".formatted(flow, state, why),
          cause);
      this.flow = flow;
      this.state = state;
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The state that the step takes.
    public String state() {
      return state;
    }
  }

  /// A step of a loop has reached its limit of runs.
  public static final class LoopLimit extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String state;
    private final int limit;

    LoopLimit(String flow, String state, int limit) {
      super(
          "flow.loop-limit",
          "Flow `%s`: the step that takes `%s` has run %d times, and may not run again. Allow more with `loops(...)`, or lead out of the loop."
              .formatted(flow, state, limit),
          null);
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
    private static final long serialVersionUID = 1L;
    private final String what;
    private final int limit;

    LimitError(String flow, String what, int limit) {
      super(
          "flow.limit",
          "Flow `%s` needs more than %d %s. Give it more by RunLimits.%s, or let it end sooner."
              .formatted(flow, limit, what.equals("turns") ? "turns of models" : "levels", what),
          null);
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
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final transient List<String> stuck;

    Deadlock(String flow, List<String> stuck, List<String> missing, Throwable cause) {
      super(
          "flow.deadlock",
          "Flow `%s` is stuck with %s: nothing makes %s any more. Lead every branch to what waits for it."
              .formatted(flow, quoted(stuck), quoted(missing)),
          cause);
      this.flow = flow;
      this.stuck = List.copyOf(stuck);
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The states that no step takes.
    public List<String> stuck() {
      return stuck;
    }
  }

  /// A state was produced again before it was consumed.
  public static final class Conflict extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String flow;
    private final String state;

    Conflict(String flow, String state, List<String> by, Throwable cause) {
      super(
          "flow.conflict",
          "Flow `%s`: state `%s` came a second time, by the step that takes %s, before it was taken. Let branches that make the same state exclude each other, or join them."
              .formatted(flow, state, quoted(by)),
          cause);
      this.flow = flow;
      this.state = state;
    }

    /// The flow.
    public String flow() {
      return flow;
    }

    /// The state.
    public String state() {
      return state;
    }
  }

  /// The flow waits for an answer, and was run without one.
  public static final class ResumeRequired extends FlowError {
    private static final long serialVersionUID = 1L;
    private final transient List<PendingWait> open;

    ResumeRequired(String flow, List<PendingWait> open) {
      super(
          "flow.resume-required",
          "Flow `%s` waits for %s. Answer with `resume(id, answer)`."
              .formatted(flow, quoted(open.stream().map(PendingWait::toolId).toList())),
          null);
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
    private static final long serialVersionUID = 1L;
    private final String toolId;

    UnexpectedResumption(String flow, String toolId) {
      super(
          "flow.unexpected-resumption",
          "Flow `%s` waits for nothing, but was given an answer to `%s`. Go on with `next()`."
              .formatted(flow, toolId),
          null);
      this.toolId = toolId;
    }

    /// The tool id or id that was answered.
    public String toolId() {
      return toolId;
    }
  }

  /// An answer was given, but it fits none of the pending waits, or several.
  public static final class ResumeMismatchError extends FlowError {
    private static final long serialVersionUID = 1L;
    private final String given;
    private final transient List<PendingWait> expected;

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
                      .collect(Collectors.joining())),
          null);
      this.given = given;
      this.expected = List.copyOf(expected);
    }

    /// The id or tool id that was answered.
    public String given() {
      return given;
    }

    /// The answers that the flow waits for.
    public List<PendingWait> expected() {
      return expected;
    }
  }

  /// The output was requested from a flow that has none yet.
  public static final class NotDone extends FlowError {
    private static final long serialVersionUID = 1L;

    NotDone(String why) {
      super(
          "flow.not-done",
          "The flow has no output: " + why + ". Use `switch` on the outcome to tell these apart.",
          null);
    }
  }
}
