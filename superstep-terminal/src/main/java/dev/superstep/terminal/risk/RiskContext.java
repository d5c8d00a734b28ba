package dev.superstep.terminal.risk;

import java.nio.file.Path;

/// Where a command would run. Paths are compared as text; no file is looked at. Immutable.
///
/// @param workspace files below it may be changed
/// @param directory what relative paths begin at
/// @param home what `~` stands for
public record RiskContext(Path workspace, Path directory, Path home) {
  public RiskContext {
    workspace = workspace.toAbsolutePath().normalize();
    directory = directory.toAbsolutePath().normalize();
    home = home.toAbsolutePath().normalize();
  }

  public static RiskContext of(Path workspace, Path directory, Path home) {
    return new RiskContext(workspace, directory, home);
  }
}
