package dev.superstep.acp;

import java.util.Locale;
import java.util.Map;

/// The kinds of tools that editors know, each with an icon of its own.
public enum ToolKind {
  /// Reads files or data.
  READ,
  /// Changes files.
  EDIT,
  /// Deletes something.
  DELETE,
  /// Moves or renames something.
  MOVE,
  /// Searches.
  SEARCH,
  /// Runs programs.
  EXECUTE,
  /// Thinks or plans, with no effect outside.
  THINK,
  /// Fetches something from elsewhere.
  FETCH,
  /// Anything else.
  OTHER;

  /// Those of the tools of this project's modules, by name.
  static final Map<String, ToolKind> KNOWN =
      Map.ofEntries(
          Map.entry("read_file", READ),
          Map.entry("read_skill_file", READ),
          Map.entry("load_skill", READ),
          Map.entry("read_resource", READ),
          Map.entry("list_files", SEARCH),
          Map.entry("glob", SEARCH),
          Map.entry("grep", SEARCH),
          Map.entry("find_skills", SEARCH),
          Map.entry("edit_file", EDIT),
          Map.entry("write_file", EDIT),
          Map.entry("submit_changes", EDIT),
          Map.entry("move_file", MOVE),
          Map.entry("delete_file", DELETE),
          Map.entry("run_command", EXECUTE),
          Map.entry(EditorTerminal.NAME, EXECUTE),
          Map.entry("shell", EXECUTE),
          Map.entry("run_skill_script", EXECUTE),
          Map.entry("write_todos", THINK),
          Map.entry("fetch_url", FETCH));

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
