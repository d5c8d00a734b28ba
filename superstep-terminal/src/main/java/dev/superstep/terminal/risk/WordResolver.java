package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.MappedText;
import dev.superstep.terminal.shell.ShellCommand;
import dev.superstep.terminal.shell.Word;
import dev.superstep.terminal.shell.WordPart;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expands words as the shell would, as far as the script itself shows the values. One thread at a
/// time.
final class WordResolver {
  private static final int WORDS_MAX = 64;
  private static final int PARTS_MAX = 1000;
  private static final int LENGTH_MAX = 64 * 1024;

  private final ShellState state;

  WordResolver(ShellState state) {
    this.state = state;
  }

  /// The words that a word becomes: several by braces and by the splitting of values.
  List<ResolvedWord> expand(Word word) {
    var all = new ArrayList<ResolvedWord>();
    if (word.parts().size() > PARTS_MAX) return List.of(ResolvedWord.unknown(word.span()));
    for (var parts : alternatives(word.parts())) {
      var fields = new Fields(word.span());
      for (var part : parts) add(fields, part, true);
      fields.end(all);
    }
    return all;
  }

  /// The one value of a word that is not split, as in an assignment.
  ResolvedWord value(Word word) {
    if (word.parts().size() > PARTS_MAX) return ResolvedWord.unknown(word.span());
    var fields = new Fields(word.span());
    for (var part : word.parts()) add(fields, part, false);
    return fields.whole();
  }

  private static List<List<WordPart>> alternatives(List<WordPart> parts) {
    List<List<WordPart>> all = List.of(List.of());
    for (var part : parts) {
      var next = new ArrayList<List<WordPart>>();
      for (var begun : all) {
        if (part instanceof WordPart.Braces(var choices, var _, var _) && !choices.isEmpty()) {
          for (var choice : choices) {
            for (var inner : alternatives(choice.parts())) next.add(joined(begun, inner));
          }
        } else {
          next.add(joined(begun, List.of(part)));
        }
        if (next.size() > WORDS_MAX) return List.of(withoutBraces(parts));
      }
      all = next;
    }
    return all;
  }

  private static List<WordPart> joined(List<WordPart> first, List<WordPart> second) {
    var all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }

  private static List<WordPart> withoutBraces(List<WordPart> parts) {
    var all = new ArrayList<WordPart>();
    for (var part : parts) {
      all.add(
          part instanceof WordPart.Braces braces ? new WordPart.Opaque("", braces.span()) : part);
    }
    return all;
  }

  private void add(Fields fields, WordPart part, boolean splits) {
    switch (part) {
      case WordPart.Literal(var value, var _, var span) -> fields.add(MappedText.of(value, span));
      case WordPart.Parameter parameter -> parameter(fields, parameter, splits);
      case WordPart.CommandOutput(var body, var isQuoted, var span) ->
          fields.value(output(body, span), splits && !isQuoted, separators());
      case WordPart.ProcessFile(var _, var _, var span) -> fields.add("/dev/fd/63", span);
      case WordPart.Arithmetic(var _, var span) -> fields.unknown(span);
      case WordPart.Glob(var pattern, var span) -> fields.pattern(pattern, span);
      case WordPart.Tilde(var user, var span) -> fields.add(home(user), span);
      case WordPart.Braces(var _, var raw, var span) -> fields.pattern(raw, span);
      case WordPart.Opaque(var _, var span) -> fields.unknown(span);
    }
  }

  private String home(String user) {
    return switch (user) {
      case "" -> known("HOME", "/root");
      case "+" -> known("PWD", ".");
      case "root" -> "/root";
      default -> "/home/" + user;
    };
  }

  private String known(String name, String otherwise) {
    var value = state.variables.get(name);
    return value == null ? otherwise : value.value();
  }

  private String separators() {
    return known("IFS", " \t\n");
  }

  private void parameter(Fields fields, WordPart.Parameter parameter, boolean splits) {
    // These keep several words even in quotes.
    boolean isList = parameter.name().equals("@") || parameter.operator().equals("[@]");
    boolean isSplit = splits && (!parameter.isQuoted() || isList);
    if (parameter.name().equals("IFS") && !parameter.operator().equals("#name")) {
      // Any piece of it is a blank to whoever writes a command with it.
      fields.value(MappedText.of(" ", parameter.span()), isSplit, " \t\n");
      return;
    }
    var value = parameterValue(parameter);
    if (value == null) fields.unknown(parameter.span());
    else fields.value(value, isSplit, separators());
  }

  private @Nullable MappedText parameterValue(WordPart.Parameter parameter) {
    var known = state.variables.get(parameter.name());
    var argument = parameter.argument();
    return switch (parameter.operator()) {
      case "", "[@]" -> known == null ? null : placed(known, parameter.span());
      case ":-", "-", ":=", "=" -> {
        if (known != null && !known.value().isEmpty()) yield placed(known, parameter.span());
        yield argument == null ? null : value(argument).text();
      }
      case ":+", "+" -> known == null || argument == null ? null : value(argument).text();
      case ":?", "?" -> known == null ? null : placed(known, parameter.span());
      default -> null;
    };
  }

  private static MappedText placed(ResolvedWord value, Span span) {
    return MappedText.of(value.value(), span);
  }

  private MappedText output(ShellCommand.Sequence body, Span span) {
    var unknown = MappedText.of(String.valueOf(ResolvedWord.UNKNOWN), span);
    if (body.items().size() != 1) return unknown;
    if (!(body.items().getFirst().command() instanceof ShellCommand.Simple simple)) return unknown;
    if (simple.words().isEmpty() || !simple.redirections().isEmpty()) return unknown;
    var words = new ArrayList<ResolvedWord>();
    for (var word : simple.words()) words.addAll(expand(word));
    var text = EchoedText.of(words);
    if (text == null) {
      boolean isDirectory = words.size() == 1 && words.getFirst().is("pwd");
      return isDirectory ? MappedText.of(known("PWD", "."), span) : unknown;
    }
    int end = text.length();
    while (end > 0 && text.text().charAt(end - 1) == '\n') end--;
    return text.part(0, end);
  }

  /// The fields of one word while they are made.
  private static final class Fields {
    private final Span span;
    private final List<ResolvedWord> done = new ArrayList<>();
    private @Nullable MappedText current;
    private boolean isPattern;

    Fields(Span span) {
      this.span = span;
    }

    void add(String value, Span at) {
      add(MappedText.of(value, at));
    }

    void add(MappedText text) {
      var begun = current;
      if (begun != null && begun.length() + text.length() > LENGTH_MAX) unknownOnly();
      else current = begun == null ? text : begun.append(text);
    }

    private void unknownOnly() {
      current = MappedText.of(String.valueOf(ResolvedWord.UNKNOWN), span);
    }

    void unknown(Span at) {
      add(String.valueOf(ResolvedWord.UNKNOWN), at);
    }

    void pattern(String pattern, Span at) {
      isPattern = true;
      add(pattern, at);
    }

    void value(MappedText text, boolean isSplit, String separators) {
      if (!isSplit) {
        add(text);
        return;
      }
      int from = 0;
      for (int i = 0; i <= text.length(); i++) {
        boolean isEnd = i == text.length();
        if (!isEnd && separators.indexOf(text.text().charAt(i)) < 0) continue;
        if (i > from) {
          var piece = text.part(from, i);
          if (piece.text().matches("(?s).*[*?\\[].*")) isPattern = true;
          add(piece);
        }
        if (!isEnd) next();
        from = i + 1;
      }
    }

    private void next() {
      var begun = current;
      if (begun != null && done.size() < WORDS_MAX) {
        done.add(new ResolvedWord(begun, isPattern, span));
        current = null;
        isPattern = false;
      }
    }

    void end(List<ResolvedWord> all) {
      // An empty quoted word is a word too.
      if (current == null && done.isEmpty()) current = MappedText.of("", span);
      next();
      all.addAll(done);
    }

    ResolvedWord whole() {
      var begun = current;
      return new ResolvedWord(begun == null ? MappedText.of("", span) : begun, isPattern, span);
    }
  }
}
