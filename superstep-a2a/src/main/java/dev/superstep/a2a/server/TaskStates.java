package dev.superstep.a2a.server;

import java.util.Set;

/// The states of tasks.
final class TaskStates {
  static final String SUBMITTED = "TASK_STATE_SUBMITTED";
  static final String WORKING = "TASK_STATE_WORKING";
  static final String COMPLETED = "TASK_STATE_COMPLETED";
  static final String FAILED = "TASK_STATE_FAILED";
  static final String CANCELED = "TASK_STATE_CANCELED";
  static final String INPUT_REQUIRED = "TASK_STATE_INPUT_REQUIRED";

  private static final Set<String> TERMINAL = Set.of(COMPLETED, FAILED, CANCELED);

  private TaskStates() {}

  static boolean isTerminal(String state) {
    return TERMINAL.contains(state);
  }
}
