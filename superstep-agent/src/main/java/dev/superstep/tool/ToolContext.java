package dev.superstep.tool;

import java.time.Duration;

/// What a tool may know of the call that it serves. For the thread of that call.
public final class ToolContext {
  private final String tool;
  private final String callId;
  private final long deadline;
  private final Injected injected;

  ToolContext(String tool, String callId, Duration timeout, Injected injected) {
    this.tool = tool;
    this.callId = callId;
    this.deadline = System.nanoTime() + timeout.toNanos();
    this.injected = injected;
  }

  /// The id that the model gave the call.
  public String callId() {
    return callId;
  }

  /// The name of the tool.
  public String tool() {
    return tool;
  }

  /// How long the call may still take; never negative. At zero its thread is interrupted.
  public Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
  }

  /// Ends the call if nobody waits for it any more. For loops that do not block.
  ///
  /// @throws InterruptedException if the call was cancelled or its time is over
  public void checkCancelled() throws InterruptedException {
    if (Thread.interrupted()) throw new InterruptedException("call " + callId + " was cancelled");
  }

  /// A value that the program injected.
  ///
  /// @throws MissingInjection if it injected none of this type
  public <T> T get(Class<T> type) {
    return injected.get(type, tool);
  }
}
