package dev.superstep.terminal.state;

/// The line that says where a conversation is, shown after every transition. A projection of
/// [Progress].
///
/// @param name of the conversation
/// @param provider of its models
public record StatusLine(String name, String provider, Progress progress) {
  /// The line, as `[Name] Step 2/5 (Command Suggested) | Provider: p | Next: approve`.
  public String text() {
    return "[%s] %s | Provider: %s | Next: %s".formatted(name, place(), provider, next());
  }

  private String place() {
    var status = progress.status();
    boolean isAtStep =
        status == ConversationStatus.IN_PROGRESS || status == ConversationStatus.NEEDS_INPUT;
    if (!isAtStep || progress.step().isEmpty()) return "(" + status.label() + ")";
    var label =
        status == ConversationStatus.NEEDS_INPUT
            ? status.label()
            : progress.step().get().status().label();
    return "Step %d/%d (%s)".formatted(progress.current() + 1, progress.steps().size(), label);
  }

  private String next() {
    return switch (progress.status()) {
      case PLANNING -> "wait for the plan";
      case READY -> "accept or edit the plan";
      case IN_PROGRESS -> progress.step().map(step -> next(step.status())).orElse("finish");
      case NEEDS_INPUT -> "answer the question";
      case PAUSED -> "resume";
      case FINISHED -> "none";
      case ABORTED -> "none";
      case ERROR -> "retry or abort";
    };
  }

  private static String next(StepStatus step) {
    return switch (step) {
      case PENDING -> "wait for a command";
      case COMMAND_SUGGESTED -> "approve, change or deny the command";
      case RUNNING -> "wait for the command";
      case FAILED -> "retry, skip or abort";
      case INTERRUPTED -> "inspect, mark done or run again";
      case COMPLETE, SKIPPED, CANCELLED -> "none";
    };
  }
}
