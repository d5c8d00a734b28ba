package dev.superstep.mcp;

import java.net.URI;
import java.time.Duration;

/// The lines of the guide about calls that run as tasks.
final class PressServer {
  private PressServer() {}

  static McpServer press(URI address) {
    return McpServer.http("press", address).tasks(Duration.ofHours(8)).asking();
  }
}
