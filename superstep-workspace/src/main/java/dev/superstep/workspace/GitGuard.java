package dev.superstep.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Settings that make git only inspect a repository, whatever the repository's own configuration
/// says. Git has no single switch for that; each of these settings closes a way in which a
/// configuration or an attribute runs a program, or reads outside the working tree.
final class GitGuard {
  static final List<String> SUBCOMMANDS = List.of("status", "diff", "log", "show");

  /// Options that select how much is shown, and of what. None names a file to read or write, or a
  /// program.
  static final Set<String> OPTIONS =
      Collections.unmodifiableSet(
          new TreeSet<>(
              List.of(
                  "--",
                  "--cached",
                  "--max-count=",
                  "--name-only",
                  "--name-status",
                  "--numstat",
                  "--oneline",
                  "--porcelain",
                  "--short",
                  "--staged",
                  "--stat",
                  "--unified=",
                  "-w")));

  private static final String NONE = "/dev/null";

  private static final List<String> SETTINGS =
      List.of(
          "core.fsmonitor=false",
          "core.hooksPath=" + NONE,
          "core.attributesFile=" + NONE,
          "core.excludesFile=" + NONE,
          "core.pager=cat",
          "core.alternateRefsCommand=false",
          "core.sshCommand=false",
          "diff.external=",
          "diff.ignoreSubmodules=all",
          "diff.orderFile=" + NONE,
          "status.submoduleSummary=false",
          "submodule.recurse=false",
          "log.showSignature=false",
          "format.pretty=medium",
          "gpg.program=false",
          "protocol.allow=never",
          "safe.bareRepository=explicit");

  private GitGuard() {}

  /// Variables for a repository in that root.
  static Map<String, String> variables(Path root) {
    var all = new LinkedHashMap<String, String>();
    all.put("GIT_CONFIG_NOSYSTEM", "1");
    all.put("GIT_CONFIG_GLOBAL", NONE);
    all.put("GIT_ATTR_NOSYSTEM", "1");
    all.put("GIT_PAGER", "cat");
    all.put("PAGER", "cat");
    all.put("GIT_TERMINAL_PROMPT", "0");
    all.put("GIT_OPTIONAL_LOCKS", "0");
    all.put("GIT_ALLOW_PROTOCOL", "none");
    all.put("GIT_NO_LAZY_FETCH", "1");
    all.put("GIT_WORK_TREE", root.toString());
    var above = root.getParent();
    if (above != null) all.put("GIT_CEILING_DIRECTORIES", above.toString());
    return all;
  }

  /// The command that lists the names of all settings of the repository. It runs nothing.
  static List<String> listing(String program) {
    return List.of(program, "--no-pager", "config", "--list", "--name-only", "-z");
  }

  /// The names of filters in such a list.
  static Set<String> filters(String listed) {
    var found = new TreeSet<String>();
    for (var name : listed.split("\0", -1)) {
      int end = name.lastIndexOf('.');
      if (name.startsWith("filter.") && end > "filter.".length()) {
        found.add(name.substring(0, end));
      }
    }
    return found;
  }

  /// Variables that turn these filters off. As variables, since a name may hold any character.
  static Map<String, String> without(Collection<String> filters) {
    var all = new LinkedHashMap<String, String>();
    int count = 0;
    for (var filter : filters) {
      for (var part : List.of("clean", "smudge", "process", "required")) {
        all.put("GIT_CONFIG_KEY_" + count, filter + "." + part);
        all.put("GIT_CONFIG_VALUE_" + count++, part.equals("required") ? "false" : "");
      }
    }
    all.put("GIT_CONFIG_COUNT", String.valueOf(count));
    return all;
  }

  /// Returns an allowed command with these settings added.
  static List<String> guarded(List<String> command) {
    var words = new ArrayList<String>();
    words.add(command.getFirst());
    words.add("--no-pager");
    for (var setting : SETTINGS) words.addAll(List.of("-c", setting));
    words.add(command.get(1));
    words.add("--ignore-submodules=all");
    if (!command.get(1).equals("status")) words.addAll(List.of("--no-ext-diff", "--no-textconv"));
    words.addAll(command.subList(2, command.size()));
    return words;
  }
}
