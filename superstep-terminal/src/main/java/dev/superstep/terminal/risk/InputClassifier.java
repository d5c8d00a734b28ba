package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.ShellScript;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Tells commands from sentences by rules. `!` before a text forces a command, `?` a sentence.
/// Immutable.
public final class InputClassifier {
  private static final InputClassifier STANDARD = new InputClassifier();
  private static final int LENGTH_MAX = 1024;

  private static final Set<String> SPEAKING = Set.of("echo", "printf", "say", "figlet", "cowsay");
  private static final Set<String> BUILTINS =
      Set.of(
          "cd",
          "source",
          ".",
          "eval",
          "exec",
          "trap",
          "pushd",
          "alias",
          "unalias",
          "command",
          "env",
          "sudo",
          "xargs",
          "time",
          "nohup",
          "timeout",
          "watch",
          "sh",
          "bash",
          "zsh",
          "perl",
          "python",
          "python3",
          "ruby",
          "node",
          "php",
          "doas",
          "parallel",
          "flock",
          "busybox");
  private static final Pattern SYNTAX =
      Pattern.compile(
          "(^|\\s)-{1,2}[A-Za-z0-9][\\w=./:,-]*|\\s\\|\\|?\\s|\\s&&\\s|[^\\s]*\\$[\\w({@?#!*]|[<>]{1,2}\\s?[\\w/&$\".~]|;\\s*\\w|`|"
              + "(^|\\s)\\S*\\*\\S*|(^|\\s)(\\.{0,2}|~)/\\S*|\\s&$|\\\\;|\\{\\}|^\\w+=\\S|(^|\\s)\\.{1,2}(\\s|$)");

  private InputClassifier() {}

  /// The built-in rules.
  public static InputClassifier standard() {
    return STANDARD;
  }

  /// Classifies a line.
  ///
  /// @param programs returns whether a name is a program that can be run here
  public InputClassification classify(String line, Predicate<String> programs) {
    var text = line.strip();
    if (text.isEmpty()) return certain(InputKind.SHELL, "empty", "There is no text.", text);
    if (text.startsWith("!")) {
      return certain(InputKind.SHELL, "forced-shell", "`!` forces a command.", rest(text));
    }
    if (text.startsWith("?")) {
      return certain(InputKind.PROMPT, "forced-prompt", "`?` forces a sentence.", rest(text));
    }
    var read = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) : text;
    return new Cues(text, read, programs).decide();
  }

  private static String rest(String text) {
    return text.substring(1).strip();
  }

  private static InputClassification certain(
      InputKind kind, String pattern, String reason, String text) {
    return new InputClassification(kind, kind, 1, List.of(reason), List.of(pattern), text);
  }

  /// The features of one text.
  private static final class Cues {
    private final String text;
    private final List<String> words;
    private final String first;
    private final boolean isKnown;
    private final boolean isParsed;
    private final int functionWords;
    private final int syntax;
    private final @Nullable ShellCommand command;
    private final List<String> reasons = new ArrayList<>();
    private final List<String> patterns = new ArrayList<>();

    Cues(String text, String read, Predicate<String> programs) {
      this.text = text;
      var script = ShellScript.parse(read);
      this.isParsed = script.isComplete();
      var items = script.body().items();
      this.command = items.isEmpty() ? null : items.getFirst().command();
      this.words = List.of(outsideQuotes(read).strip().split("\\s+"));
      this.first = firstWord(read);
      this.isKnown =
          programs.test(first)
              || ProgramTable.standard().contains(first)
              || BUILTINS.contains(first);
      this.functionWords = EnglishCues.functionWords(words.subList(1, words.size()));
      this.syntax = (int) SYNTAX.matcher(outsideQuotes(read)).results().limit(20).count();
    }

    // An apostrophe inside a word is no quote to whoever writes a sentence.
    private static String outsideQuotes(String text) {
      return text.replaceAll("\"[^\"]*\"", " Q ").replaceAll("(?<!\\w)'[^']*'", " Q ");
    }

    // Behind assignments, since `A=1 make` runs `make`.
    private static String firstWord(String text) {
      var rest = text;
      while (rest.matches("(?s)[A-Za-z_]\\w*=\\S*\\s+\\S.*"))
        rest = rest.replaceFirst("^\\S+\\s+", "");
      return rest.split("[\\s;|&<>]", 2)[0];
    }

    InputClassification decide() {
      if (isCompound())
        return found(InputKind.SHELL, 0.97, "shell-grammar", "It is a compound command.");
      if (first.matches(
              "(?s)\\w+\\+?=.*|\\.{0,2}/\\S+|~/\\S*|[(\\[{:$\\\\`<>\"'].*|\"?\\$\\{?\\w.*")
          && isParsed) {
        return found(InputKind.SHELL, 0.95, "shell-start", "It begins as a command does.");
      }
      if (text.endsWith("?") && words.size() > 2 && syntax < 2) {
        return found(InputKind.PROMPT, 0.95, "question", "It is a question.");
      }
      return isKnown ? known() : unknown();
    }

    private boolean isCompound() {
      if (!isParsed || command == null) return false;
      return switch (command) {
        case ShellCommand.If _,
            ShellCommand.While _,
            ShellCommand.For _,
            ShellCommand.ArithmeticFor _,
            ShellCommand.Case _,
            ShellCommand.Function _,
            ShellCommand.Group _,
            ShellCommand.Conditional _,
            ShellCommand.Arithmetic _ ->
            true;
        case ShellCommand.Simple simple -> !simple.assignments().isEmpty();
        case ShellCommand.Sequence _,
            ShellCommand.Pipeline _,
            ShellCommand.Coprocess _,
            ShellCommand.Opaque _ ->
            false;
      };
    }

    private InputClassification known() {
      boolean isSentence = EnglishCues.isVerb(first) && !SPEAKING.contains(first);
      boolean isBound =
          words.size() > 1
              && (words.get(1).length() > 1 || (words.size() > 3 && words.get(2).length() > 2))
              && (EnglishCues.functionWords(words.subList(1, 2)) > 0
                  || EnglishCues.isPlural(words.get(1)));
      if (isSentence && isBound && words.size() > 2 && syntax < 3) {
        return found(
            InputKind.PROMPT,
            0.85,
            "verb-and-article",
            "A sentence goes on behind its first word.");
      }
      if (isSentence && functionWords >= 2 && syntax <= functionWords / 2) {
        return found(InputKind.PROMPT, 0.8, "function-words", "It has words that bind sentences.");
      }
      if (isSentence && functionWords > 0 && syntax == 0 && words.size() > 3) {
        patterns.add("verb");
        reasons.add("It may be a sentence that begins with the name of a program.");
        return ambiguous(InputKind.PROMPT, 0.6);
      }
      if (!isParsed && functionWords > 1) {
        reasons.add("It begins with a program and is no shell text.");
        return ambiguous(InputKind.PROMPT, 0.5);
      }
      return found(InputKind.SHELL, 0.95, "known-program", "It begins with a program.");
    }

    private InputClassification unknown() {
      boolean isCapital =
          Character.isUpperCase(text.codePointAt(0)) && !first.matches("[A-Z0-9_]{2,}");
      if (EnglishCues.isOpener(first) && (words.size() > 1 || first.length() > 3) && !isTool()) {
        return found(InputKind.PROMPT, 0.95, "language-cue", "It begins as a sentence does.");
      }
      if (isCapital && words.size() > 1 && !isTool()) {
        return found(InputKind.PROMPT, 0.9, "capital", "It begins with a capital letter.");
      }
      if (syntax > 0 && isParsed && syntax * 2 >= functionWords && looksLikeProgram()) {
        return found(
            InputKind.SHELL, 0.8, "shell-syntax", "It has options or operators of a shell.");
      }
      if (functionWords > 0 || words.size() > 3 || first.codePoints().anyMatch(c -> c > 0x7E)) {
        return found(InputKind.PROMPT, 0.85, "plain-words", "It consists of plain words.");
      }
      reasons.add("Neither a known program nor a sentence.");
      return ambiguous(
          words.size() < 3 && looksLikeProgram() ? InputKind.SHELL : InputKind.PROMPT, 0.5);
    }

    // `get-data -x | sort` is a program that is not known.
    private boolean isTool() {
      return isParsed && syntax > 1 && functionWords == 0 && looksLikeProgram();
    }

    private boolean looksLikeProgram() {
      return first.matches("[A-Za-z0-9_.+\\[\\]~$/\"'{}:@%-]+") && !first.endsWith(",");
    }

    private InputClassification found(
        InputKind kind, double confidence, String pattern, String reason) {
      patterns.add(pattern);
      reasons.add(reason);
      return new InputClassification(kind, kind, confidence, reasons, patterns, text);
    }

    private InputClassification ambiguous(InputKind likely, double confidence) {
      return new InputClassification(
          InputKind.AMBIGUOUS, likely, confidence, reasons, patterns, text);
    }
  }
}
