package dev.superstep.mcp.internal.transport;

/// The only class of this module that starts threads.
public final class McpThreads {
  private McpThreads() {}

  /// Starts work on a thread of its own. It ends with the connection that it serves.
  public static Thread start(String server, String what, Runnable work) {
    var thread = unstarted(server, what, work);
    thread.start();
    return thread;
  }

  /// A thread of its own for work, not started yet.
  public static Thread unstarted(String server, String what, Runnable work) {
    return Thread.ofVirtual().name("superstep-mcp-" + server + "-" + what).unstarted(work);
  }

  /// Starts work that waits for a pipe: a virtual thread would keep a carrier from all others.
  public static void startPlatform(String server, String what, Runnable work) {
    Thread.ofPlatform().daemon().name("superstep-mcp-" + server + "-" + what).start(work);
  }
}
