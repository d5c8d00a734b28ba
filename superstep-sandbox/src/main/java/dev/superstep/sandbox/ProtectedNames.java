package dev.superstep.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Names directly in each writable directory of a command that the command must not change, whether
/// they exist or not: what they contain is run or believed later, outside of the sandbox.
/// Immutable.
///
/// @param names paths relative to a writable directory; with `/` at the end for a directory
public record ProtectedNames(List<String> names) {
  private static final ProtectedNames STANDARD =
      new ProtectedNames(
          List.of(
              ".git/hooks/",
              ".git/config",
              ".git/config.worktree",
              ".git/modules/",
              ".bashrc",
              ".bash_profile",
              ".bash_login",
              ".bash_logout",
              ".profile",
              ".zshrc",
              ".zshenv",
              ".zprofile",
              ".zlogin",
              ".zlogout",
              ".envrc",
              ".vscode/",
              ".idea/",
              ".mcp.json",
              ".claude/",
              ".superstep/"));

  private static final ProtectedNames NONE = new ProtectedNames(List.of());

  public ProtectedNames {
    names = List.copyOf(names);
    for (var name : names) {
      var path = Path.of(name);
      if (path.isAbsolute()
          || !path.normalize().equals(path)
          || name.startsWith("..")
          || name.isEmpty()) {
        throw new IllegalArgumentException(
            "names must be relative and without `..`, one was `" + name + "`");
      }
    }
  }

  /// Hooks and settings of git, files that shells read at their start, settings of editors, of
  /// agents and of Superstep.
  public static ProtectedNames standard() {
    return STANDARD;
  }

  /// No names.
  public static ProtectedNames none() {
    return NONE;
  }

  /// With more names.
  public ProtectedNames and(String... more) {
    var all = new ArrayList<>(names);
    all.addAll(List.of(more));
    return new ProtectedNames(all);
  }
}
