package dev.superstep.middleware.hosted;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// The vendor of a model has no tool that an agent wants it to run.
public final class HostedToolUnavailable extends SuperstepException {
  private final String tool;
  private final String vendor;

  HostedToolUnavailable(String tool, String vendor, List<String> vendors) {
    super(
        "hosted.tool-unavailable",
        "`%s` has no %s here. Vendors that have it: %s. Choose a model of one of them, or give the agent a tool of your own."
            .formatted(vendor, tool, String.join(", ", vendors)));
    this.tool = tool;
    this.vendor = vendor;
  }

  /// The purpose of the tool.
  public String tool() {
    return tool;
  }

  /// The scheme of the model's URL.
  public String vendor() {
    return vendor;
  }
}
