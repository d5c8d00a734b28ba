package dev.superstep.terminal.risk;

import dev.superstep.terminal.risk.Program.Option;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Arguments sorted into options and operands: `-rf`, `-r -f` and `--recursive --force` come out as
/// the same flags. Immutable.
///
/// @param flags first names of options of the table, and all others as they are written
/// @param isUncertain whether some argument may be an option that is not known
record Arguments(
    Set<String> flags, List<Given> options, List<ResolvedWord> operands, boolean isUncertain) {
  /// An option of the table with its value.
  record Given(Option option, @Nullable ResolvedWord value, ResolvedWord word) {}

  /// Sorts arguments.
  ///
  /// @param stopsAtOperand whether the first operand ends the options, as where a command follows
  static Arguments read(
      Map<String, Option> options, List<ResolvedWord> words, boolean stopsAtOperand) {
    var reading = new Reading(options);
    for (int i = 0; i < words.size(); i++) {
      var word = words.get(i);
      var text = word.value();
      if (reading.isOver || !text.startsWith("-") || text.equals("-")) {
        if (stopsAtOperand) reading.isOver = true;
        // An unknown word may be an option; it stays an operand too.
        if (text.startsWith(String.valueOf(ResolvedWord.UNKNOWN))) reading.isUncertain = true;
        reading.operands.add(word);
      } else if (text.equals("--")) {
        reading.isOver = true;
      } else {
        var next = i + 1 < words.size() ? words.get(i + 1) : null;
        if (reading.option(word, next)) i++;
      }
    }
    return new Arguments(
        Set.copyOf(reading.flags), reading.given, reading.operands, reading.isUncertain);
  }

  boolean has(String... names) {
    for (var name : names) {
      if (flags.contains(name)) return true;
    }
    return false;
  }

  /// The values of an option, by its first name.
  List<ResolvedWord> values(String name) {
    var all = new ArrayList<ResolvedWord>();
    for (var each : options) {
      var value = each.value();
      if (each.option().name().equals(name) && value != null) all.add(value);
    }
    return all;
  }

  /// Options while they are read.
  private static final class Reading {
    private final Map<String, Option> known;
    private final Set<String> flags = new HashSet<>();
    private final List<Given> given = new ArrayList<>();
    private final List<ResolvedWord> operands = new ArrayList<>();
    private boolean isOver;
    private boolean isUncertain;

    Reading(Map<String, Option> known) {
      this.known = known;
    }

    /// Returns whether the next word is the value of the option.
    boolean option(ResolvedWord word, @Nullable ResolvedWord next) {
      var text = word.value();
      if (text.indexOf(ResolvedWord.UNKNOWN) >= 0) isUncertain = true;
      var whole = known.get(text);
      if (whole != null) return take(whole, word, null, next);
      return text.startsWith("--") ? longOption(word, next) : cluster(word, next);
    }

    private boolean longOption(ResolvedWord word, @Nullable ResolvedWord next) {
      var text = word.value();
      int equals = text.indexOf('=');
      var name = equals < 0 ? text : text.substring(0, equals);
      flags.add(name);
      var option = abbreviated(name);
      if (option == null) return false;
      var value = equals < 0 ? null : word.from(equals + 1);
      return take(option, word, value, next);
    }

    // GNU programs take any beginning of a long option that is not ambiguous.
    private @Nullable Option abbreviated(String name) {
      var exact = known.get(name);
      if (exact != null || name.length() < 4) return exact;
      return known.entrySet().stream()
          .filter(each -> each.getKey().startsWith(name))
          .min(Map.Entry.comparingByKey())
          .map(Map.Entry::getValue)
          .orElse(null);
    }

    private boolean cluster(ResolvedWord word, @Nullable ResolvedWord next) {
      var text = word.value();
      for (int i = 1; i < text.length(); i++) {
        var name = "-" + text.charAt(i);
        var option = known.get(name);
        flags.add(option == null ? name : option.name());
        if (option == null) continue;
        var rest = i + 1 < text.length() ? word.from(i + 1) : null;
        if (option.takesValue() || isDangerousValue(option)) return take(option, word, rest, next);
        given.add(new Given(option, null, word));
      }
      return false;
    }

    private static boolean isDangerousValue(Option option) {
      return option.role().equals("value");
    }

    private boolean take(
        Option option,
        ResolvedWord word,
        @Nullable ResolvedWord value,
        @Nullable ResolvedWord next) {
      flags.add(option.name());
      boolean isOptional = option.role().equals("inplace") || option.role().equals("color");
      if (!option.takesValue() || isOptional) {
        given.add(new Given(option, value, word));
        return false;
      }
      given.add(new Given(option, value != null ? value : next, word));
      return value == null;
    }
  }
}
