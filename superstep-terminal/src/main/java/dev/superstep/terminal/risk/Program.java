package dev.superstep.terminal.risk;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A line of the table of programs: what a program does, what its operands are, and what its
/// options mean. Immutable.
///
/// @param danger of running it at all; the level is low if there is none
/// @param operands the role of what is no option
/// @param options by name, also by each other name
record Program(String name, Danger danger, String operands, Map<String, Option> options) {
  /// A danger as the table has it; `what` goes behind the name of a program.
  record Danger(RiskLevel level, RiskAxis axis, String code, String what) {
    static final Danger NONE = new Danger(RiskLevel.LOW, RiskAxis.SYSTEM, "", "");
  }

  /// An option.
  ///
  /// @param name its first name
  /// @param role what its value is, or `flag`
  record Option(String name, String role, Danger danger) {
    boolean takesValue() {
      return !role.equals("flag");
    }
  }

  /// Reads a line of the table: one program for each name in it.
  static List<Program> read(String line) {
    var columns = line.split("\\|", -1);
    var danger = danger(columns[1].strip(), columns[2].strip());
    var options = new HashMap<String, Option>();
    for (var option : columns[4].strip().split(" +", 0)) option(option, options);
    return List.of(columns[0].split(",", 0)).stream()
        .map(name -> new Program(name.strip(), danger, columns[3].strip(), Map.copyOf(options)))
        .toList();
  }

  private static Danger danger(String column, String what) {
    if (column.equals("low")) return Danger.NONE;
    var words = column.split(" ", 0);
    return new Danger(level(words[0]), axis(words[1]), words[2], what);
  }

  private static void option(String text, Map<String, Option> options) {
    int colon = text.indexOf(':');
    if (colon < 0) return;
    var names = text.substring(0, colon).split(",", 0);
    var role = text.substring(colon + 1);
    var danger = Danger.NONE;
    if (role.contains("!")) {
      var parts = role.split("!", 0);
      boolean takesValue = role.endsWith("=");
      var what = parts[3].replace('_', ' ').replace("=", "");
      danger = new Danger(level(parts[0]), axis(parts[1]), parts[2], what);
      role = takesValue ? "value" : "flag";
    }
    for (var name : names) options.put(name, new Option(names[0], role, danger));
  }

  private static RiskLevel level(String name) {
    return switch (name) {
      case "low" -> RiskLevel.LOW;
      case "medium" -> RiskLevel.MEDIUM;
      case "high" -> RiskLevel.HIGH;
      default -> throw new IllegalStateException("The table of programs has the level " + name);
    };
  }

  private static RiskAxis axis(String label) {
    for (var axis : RiskAxis.values()) {
      if (axis.label().equals(label) || axis.label().startsWith(label + "/")) return axis;
    }
    throw new IllegalStateException("The table of programs has the axis " + label);
  }
}
