package dev.superstep.mcp.server.internal.protocol;

import dev.superstep.mcp.internal.wire.Wire;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The extension by which clients of revision 2026-07-28 have calls as tasks.
public final class TaskExtension {
  /// The name of the extension.
  public static final String NAME = Revision.META + "tasks";

  private TaskExtension() {}

  /// Returns whether these abilities of a client have the extension.
  public static boolean isIn(JsonNode capabilities) {
    return capabilities.path("extensions").has(NAME);
  }

  /// The error for a client without it.
  public static RpcFailure missing() {
    var needed = Wire.object();
    needed.putObject("extensions").putObject(NAME);
    return missing(needed, "The client must declare the extension `" + NAME + "`.");
  }

  /// The error for a client that lacks abilities.
  ///
  /// @param needed abilities as a client declares them
  public static RpcFailure missing(ObjectNode needed, String text) {
    var data = Wire.object();
    data.set("requiredCapabilities", needed);
    return new RpcFailure(Rpc.MISSING_CAPABILITY, text, data);
  }
}
