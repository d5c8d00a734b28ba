package dev.superstep.mcp;

/// Answers what a server asks while it works on a call. Safe for many threads.
@FunctionalInterface
public interface McpAnswerer {
  /// Answers. The server waits, within the time of its call.
  McpAnswer answer(McpElicitation asked) throws InterruptedException;
}
