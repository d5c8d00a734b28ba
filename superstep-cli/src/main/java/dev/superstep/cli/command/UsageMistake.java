package dev.superstep.cli.command;

import dev.superstep.language.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Words for arguments that no command takes, with the name that was probably meant.
final class UsageMistake {
  private UsageMistake() {}

  /// Says in one line what is wrong.
  static String of(ParameterException error) {
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      return unmatched(error.getCommandLine(), unmatched.getUnmatched().getFirst());
    }
    return String.valueOf(error.getMessage())
        .replaceFirst("^Error: ", "")
        .replaceFirst("is not an? (int|long)$", "is not a whole number");
  }

  private static String unmatched(CommandLine command, String wrong) {
    var name = command.getCommandSpec().qualifiedName();
    if (wrong.startsWith("-")) {
      var option = wrong.replaceFirst("=.*", "");
      return "`%s` has no option `%s`%s".formatted(name, option, meant(option, options(command)));
    }
    if (command.getSubcommands().isEmpty()) {
      return "`%s` does not take `%s`: there are too many arguments".formatted(name, wrong);
    }
    var meant = commandMeant(command, wrong);
    // A folder may stand in place of a command there.
    var orPlace = name.endsWith(" mcp") && meant.isEmpty() ? ", and there is no such folder" : "";
    return "`%s` has no command `%s`%s%s".formatted(name, wrong, meant, orPlace);
  }

  private static String commandMeant(CommandLine command, String wrong) {
    var own = meant(wrong, List.copyOf(command.getSubcommands().keySet()));
    if (!own.isEmpty()) return own;
    // Somebody may have left out the group, or named one command too deep.
    var all = new LinkedHashMap<String, List<String>>();
    collect(root(command), all);
    var same = all.getOrDefault(wrong, List.of());
    if (same.isEmpty()) {
      same =
          Suggestion.nearest(wrong, all.keySet())
              .map(near -> all.getOrDefault(near, List.of()))
              .orElse(List.of());
    }
    return same.isEmpty() ? "" : " (did you mean `" + String.join("` or `", same) + "`?)";
  }

  private static CommandLine root(CommandLine command) {
    var at = command;
    while (at.getParent() != null) at = at.getParent();
    return at;
  }

  /// Adds all commands below one, by their last words.
  private static void collect(CommandLine command, Map<String, List<String>> into) {
    for (var each : command.getSubcommands().entrySet()) {
      into.computeIfAbsent(each.getKey(), _ -> new ArrayList<>())
          .add(each.getValue().getCommandSpec().qualifiedName());
      collect(each.getValue(), into);
    }
  }

  private static List<String> options(CommandLine command) {
    var names = new ArrayList<String>();
    for (var option : command.getCommandSpec().options()) {
      if (!option.hidden()) names.addAll(List.of(option.names()));
    }
    return names;
  }

  private static String meant(String wrong, List<String> names) {
    return Suggestion.nearest(wrong, names)
        .map(near -> " (did you mean `" + near + "`?)")
        .orElse("");
  }
}
