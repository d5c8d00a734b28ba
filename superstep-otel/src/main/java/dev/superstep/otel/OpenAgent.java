package dev.superstep.otel;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.agent.run.StopReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An agent at work. For the thread that hears its run.
final class OpenAgent {
  private final OpenSpan span;
  private final String name;
  private String run;
  private String code = "";
  private @Nullable String endingTask;
  private boolean hasFailed;

  OpenAgent(OpenSpan span, String name, String run) {
    this.span = span;
    this.name = name;
    this.run = run;
  }

  OpenSpan span() {
    return span;
  }

  boolean is(String other) {
    return run.equals(other);
  }

  /// Notes an error that it published, and from which it may still recover.
  void blame(String error) {
    code = error;
  }

  /// It said how it ended, in a task that has not finished.
  void ends(AgentEvent.AgentCompleted told, String task) {
    endingTask = task;
    run = told.run();
    hasFailed = told.reason() == StopReason.FAILED;
    var usage = told.usage();
    span.set(AttributeKeys.AGENT_RUN, run)
        .set(AttributeKeys.AGENT_REASON, told.reason().name())
        .set(AttributeKeys.MODEL_CALLS, (long) told.modelCalls())
        .set(AttributeKeys.TOOL_CALLS, (long) told.toolCalls())
        .set(AttributeKeys.INPUT_TOKENS, usage.input())
        .set(AttributeKeys.OUTPUT_TOKENS, usage.output());
  }

  boolean endsIn(String task) {
    return task.equals(endingTask);
  }

  /// The task in which it ended is tried again.
  void reopen() {
    endingTask = null;
    code = "";
  }

  /// Ends its span.
  void end(Outcome outcome, Instant at, Instruments instruments) {
    var how = endingTask == null ? outcome : hasFailed ? Outcome.FAILED : Outcome.COMPLETED;
    span.set(AttributeKeys.OUTCOME, how.text());
    var error = how != Outcome.FAILED ? "" : code.isEmpty() ? RunTrace.OTHER : code;
    if (how == Outcome.FAILED) span.failed(error);
    switch (how) {
      case COMPLETED, FAILED -> instruments.agent(name, error, span.age(at));
      case INTERRUPTED, STOPPED, ABANDONED -> {}
    }
    span.end(at);
  }
}
