package dev.superstep.terminal.policy;

import dev.superstep.terminal.policy.CommandPart.Argument;
import dev.superstep.terminal.policy.CommandPattern.Operands;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Compares rules with the words of programs: narrowly where a rule allows, widely where it asks or
/// denies. Immutable.
///
/// @param programs tells where a program is found by its name; empty if nowhere
/// @param checksPlaces whether rules that name places are compared with those
record RuleMatcher(Function<String, Optional<Path>> programs, boolean checksPlaces) {
  /// Certainty of a match.
  enum Match {
    NO,
    /// It depends on what only the shell knows.
    MAYBE,
    YES
  }

  static RuleMatcher ofExamples() {
    return new RuleMatcher(_ -> Optional.empty(), false);
  }

  /// Returns whether a rule that allows covers all words of a program.
  boolean allows(CommandPattern pattern, CommandPart part) {
    var words = part.words();
    if (!words.stream().allMatch(Argument::isFixed) || words.size() < pattern.words().size()) {
      return false;
    }
    var program = part.program().orElse("");
    if (EscapingOptions.isRunner(program) || !isAt(pattern, words.getFirst().text())) return false;
    for (int i = 1; i < pattern.words().size(); i++) {
      if (words.get(i).isPattern() || !pattern.words().get(i).contains(words.get(i).text())) {
        return false;
      }
    }
    return isCovered(pattern, program, words.stream().map(Argument::text).toList());
  }

  /// Returns whether the program is the one of a rule, and where the rule says it is.
  private boolean isAt(CommandPattern pattern, String word) {
    var places = pattern.programs();
    if (word.contains("/")) {
      var path = Path.of(word);
      if (!path.isAbsolute() || !path.normalize().equals(path)) return false;
      return pattern.words().getFirst().contains(word) || places.contains(path);
    }
    if (!pattern.words().getFirst().contains(word)) return false;
    if (places.isEmpty() || !checksPlaces) return true;
    return programs.apply(word).filter(places::contains).isPresent();
  }

  private static boolean isCovered(CommandPattern pattern, String program, List<String> words) {
    boolean hasOptions = true;
    for (int i = pattern.words().size(); i < words.size(); i++) {
      var word = words.get(i);
      if (hasOptions && word.equals("--")) {
        hasOptions = false;
      } else if (hasOptions && word.length() > 1 && word.charAt(0) == '-') {
        if (EscapingOptions.isEscaping(program, word) || !isOption(pattern, word)) return false;
      } else if (!isOperand(pattern.operands(), program, word)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOption(CommandPattern pattern, String word) {
    int is = word.indexOf('=');
    var name = is < 0 ? word : word.substring(0, is);
    if (pattern.forbidden().stream().anyMatch(option -> isOne(option, word))) return false;
    var options = pattern.options();
    if (options.contains(CommandPattern.ANY)) return isBelow(is < 0 ? "" : word.substring(is + 1));
    if (is < 0 && (options.contains(word) || options.contains(word + "="))) return true;
    if (is > 0) return options.contains(name + "=") && isBelow(word.substring(is + 1));
    if (name.startsWith("--")) return false;
    if (options.contains(name.substring(0, 2) + "=")) return isBelow(name.substring(2));
    return name.substring(1).chars().allMatch(c -> options.contains("-" + (char) c));
  }

  /// Returns whether a word has an option, by itself, with a value, or among letters.
  private static boolean isOne(String option, String word) {
    var name = option.endsWith("=") ? option.substring(0, option.length() - 1) : option;
    if (word.equals(name) || word.startsWith(name + "=")) return true;
    boolean isLetter = name.length() == 2 && name.charAt(0) == '-';
    return isLetter
        && word.length() > 1
        && word.charAt(0) == '-'
        && word.charAt(1) != '-'
        && word.indexOf(name.charAt(1), 1) > 0;
  }

  private static boolean isOperand(Operands operands, String program, String word) {
    if (EscapingOptions.isCode(program, word)) return false;
    return switch (operands) {
      case NONE -> false;
      case WORKSPACE -> isBelow(word) && !word.startsWith("+") && !word.startsWith("@");
      case ANY -> !word.startsWith("+") && !word.startsWith("@");
    };
  }

  /// Returns whether a word is no path that leads out of the directory.
  private static boolean isBelow(String word) {
    return !word.startsWith("/")
        && !word.startsWith("~")
        && !word.contains(":/")
        && !List.of(word.split("/")).contains("..");
  }

  /// Returns whether a rule that asks or denies is about a program.
  Match concerns(CommandPattern pattern, CommandPart part) {
    if (part.words().isEmpty()) return Match.NO;
    var first = part.words().getFirst();
    if (!first.isExact()) return Match.NO;
    var names = pattern.words().getFirst();
    boolean isNamed = names.contains(first.text()) || names.contains(part.program().orElse(""));
    boolean isPlaced =
        pattern.programs().stream().anyMatch(p -> p.endsWith(part.program().orElse("")));
    if (!isNamed && !isPlaced) return Match.NO;
    var match = words(pattern.words(), 1, part.words(), 1);
    return match == Match.NO ? match : least(match, options(pattern.options(), part.words()));
  }

  private static Match least(Match one, Match other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static Match most(Match one, Match other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /// Looks for words in their order; options, each with one value at most, may stand in between.
  private static Match words(List<Set<String>> wanted, int at, List<Argument> words, int i) {
    if (at == wanted.size()) return Match.YES;
    if (i >= words.size()) return Match.NO;
    var word = words.get(i);
    if (!word.isExact()) return most(Match.MAYBE, words(wanted, at, words, i + 1));
    var match = Match.NO;
    if (wanted.get(at).contains(word.text())) match = words(wanted, at + 1, words, i + 1);
    if (match != Match.YES && word.text().startsWith("-")) {
      match = most(match, words(wanted, at, words, i + 1));
      if (match != Match.YES) match = most(match, words(wanted, at, words, i + 2));
    }
    return match;
  }

  private static Match options(Set<String> options, List<Argument> words) {
    if (options.isEmpty() || options.contains(CommandPattern.ANY)) return Match.YES;
    var match = Match.NO;
    for (var word : words.subList(1, words.size())) {
      if (!word.isExact()) match = most(match, Match.MAYBE);
      else if (options.stream().anyMatch(option -> isOne(option, word.text()))) return Match.YES;
    }
    return match;
  }
}
