package dev.superstep.terminal.state;

/// The status of a step of a plan.
public enum StepStatus {
  /// It has no command yet, or waits for another one.
  PENDING("Pending"),
  /// A command waits for a decision.
  COMMAND_SUGGESTED("Command Suggested"),
  /// A command was approved; it runs, or it has succeeded and the step is not complete.
  RUNNING("Running"),
  /// It is done.
  COMPLETE("Complete"),
  /// A command failed, or was refused.
  FAILED("Failed"),
  /// A person passed it over.
  SKIPPED("Skipped"),
  /// The conversation was aborted before it was done.
  CANCELLED("Cancelled"),
  /// The process died while a command ran; nobody knows how it ended.
  INTERRUPTED("Interrupted");

  private final String label;

  StepStatus(String label) {
    this.label = label;
  }

  /// The status as people read it.
  public String label() {
    return label;
  }

  /// Returns whether the next step may begin.
  public boolean isDone() {
    return this == COMPLETE || this == SKIPPED;
  }

  /// Returns whether nothing follows.
  public boolean isFinal() {
    return isDone() || this == CANCELLED;
  }
}
