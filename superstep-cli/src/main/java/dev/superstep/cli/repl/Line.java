package dev.superstep.cli.repl;

import dev.superstep.language.Suggestion;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// The meaning of what a person typed: a cell of the language, or a command. A command in words is
/// one only where the words are no cell, or the session has no variable of that name; behind a
/// colon it always is.
sealed interface Line {
  /// The words that begin commands.
  List<String> WORDS = List.of("help", "show", "load", "budget", "status", "quit", "exit");

  /// The words behind `show`.
  List<String> SHOWN = List.of("vars", "granted", "graphs");

  /// A cell.
  record Cell(String text) implements Line {}

  /// Tells what there is.
  record Help() implements Line {}

  /// Lists variables.
  record ShowVariables() implements Line {}

  /// Lists what may be called.
  record ShowGranted() implements Line {}

  /// Runs a script.
  record LoadScript(String path) implements Line {}

  /// Makes a file the `context`.
  record LoadContext(String path) implements Line {}

  /// Tells what is left.
  record Budget() implements Line {}

  /// Tells where the session is.
  record Status() implements Line {}

  /// Leaves.
  record Quit() implements Line {}

  /// Looks like a command and is none.
  record Unknown(String why) implements Line {}

  Pattern LANGUAGE = Pattern.compile("load\\s*([=(\\[.,;:+*%&|^<>!-]|(in|is|if|and|or|not)\\b).*");
  Pattern ADJACENT = Pattern.compile("show\\s+[A-Za-z_]\\w*|load\\s+\\S.*");

  /// Reads what was typed.
  ///
  /// @param isVariable whether the session has a variable of a name
  static Line of(String text, Predicate<String> isVariable) {
    var typed = text.strip();
    if (typed.equals("?")) return new Help();
    if (typed.startsWith(":")) return command(typed.substring(1).strip());
    if (typed.indexOf('\n') >= 0) return new Cell(text);
    var word = typed.split("\\s+", 2)[0];
    boolean isWord = typed.equals(word) && WORDS.contains(word);
    boolean isWords = ADJACENT.matcher(typed).matches() && !LANGUAGE.matcher(typed).matches();
    if ((!isWord && !isWords) || isVariable.test(word)) return new Cell(text);
    return command(typed);
  }

  private static Line command(String typed) {
    var words = typed.split("\\s+", 2);
    var rest = words.length > 1 ? words[1].strip() : "";
    return switch (words[0]) {
      case "help" -> new Help();
      case "budget" -> new Budget();
      case "status" -> new Status();
      case "quit", "exit", "q" -> new Quit();
      case "show" -> show(rest);
      case "load" -> load(rest);
      default ->
          new Unknown("There is no command `" + words[0] + "`" + near(words[0], WORDS) + ".");
    };
  }

  private static Line show(String what) {
    return switch (what) {
      case "vars" -> new ShowVariables();
      case "granted", "graphs" -> new ShowGranted();
      default -> new Unknown("`show` takes " + String.join(", ", SHOWN) + near(what, SHOWN) + ".");
    };
  }

  private static Line load(String rest) {
    var context = rest.split("\\s+", 2);
    if (context[0].equals("context") && context.length > 1) {
      return new LoadContext(unquoted(context[1].strip()));
    }
    var path = unquoted(rest);
    if (path.endsWith(".ragsh")) return new LoadScript(path);
    return new Unknown("Write `load PATH.ragsh` to run a script, or `load context PATH`.");
  }

  private static String unquoted(String path) {
    boolean isQuoted =
        path.length() > 1
            && (path.charAt(0) == '"' || path.charAt(0) == '\'')
            && path.charAt(path.length() - 1) == path.charAt(0);
    return isQuoted ? path.substring(1, path.length() - 1) : path;
  }

  private static String near(String word, List<String> known) {
    return Suggestion.nearest(word, known).map(n -> "; did you mean `" + n + "`?").orElse("");
  }
}
