package dev.superstep.terminal.state;

/// The status of a conversation. Only [#FINISHED] and [#ABORTED] are final.
public enum ConversationStatus {
  /// A model makes the plan.
  PLANNING("Planning"),
  /// The plan is made and waits for a person to accept it.
  READY("Planning Complete"),
  /// The steps of the plan are worked through.
  IN_PROGRESS("In Progress"),
  /// A model asked a question, and waits for its answer.
  NEEDS_INPUT("Needs Input"),
  /// Nobody is at work, and nothing was asked: the run was stopped or its process died.
  PAUSED("Paused"),
  /// Every step is complete or skipped.
  FINISHED("Finished"),
  /// A person ended it.
  ABORTED("Aborted"),
  /// A model could not be used; a person may try again.
  ERROR("Error");

  private final String label;

  ConversationStatus(String label) {
    this.label = label;
  }

  /// The status as people read it.
  public String label() {
    return label;
  }

  /// Returns whether nothing follows.
  public boolean isFinal() {
    return this == FINISHED || this == ABORTED;
  }
}
