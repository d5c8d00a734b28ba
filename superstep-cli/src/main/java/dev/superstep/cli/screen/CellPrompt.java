package dev.superstep.cli.screen;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.Highlighter;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/// A prompt behind which a person types cells of several lines: with colours, completion and a
/// history. One thread at a time.
public final class CellPrompt {
  private static final String MORE = "... ";
  private static final int HISTORY_MAX = 1_000;

  private final LineReader reader;

  private CellPrompt(LineReader reader) {
    this.reader = reader;
  }

  /// The language that is typed.
  public interface Language {
    /// Returns whether Enter begins another line instead of ending the text.
    boolean isUnfinished(String text);

    /// The parts of a text that have a colour, in their order.
    List<Colored> colors(String text);

    /// The words that can stand at a place.
    Completion complete(String text, int cursor);
  }

  /// A part of a text with a look.
  public record Colored(int start, int end, Color color) {}

  /// The looks of parts.
  public enum Color {
    KEYWORD,
    GIVEN,
    NUMBER,
    STRING,
    COMMENT,
    COMMAND;

    private AttributedStyle style() {
      return switch (this) {
        case KEYWORD -> AttributedStyle.DEFAULT.foreground(AttributedStyle.MAGENTA);
        case GIVEN -> AttributedStyle.DEFAULT.foreground(AttributedStyle.CYAN);
        case NUMBER -> AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW);
        case STRING -> AttributedStyle.DEFAULT.foreground(AttributedStyle.GREEN);
        case COMMENT -> AttributedStyle.DEFAULT.faint();
        case COMMAND -> AttributedStyle.DEFAULT.bold();
      };
    }
  }

  /// Words that can stand in a text.
  ///
  /// @param from where the word begins that they replace
  public record Completion(int from, List<String> words) {
    public Completion {
      words = List.copyOf(words);
    }
  }

  static CellPrompt on(
      Terminal terminal, boolean isColored, Language language, List<String> history) {
    var known = new DefaultHistory();
    var builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("superstep")
            .parser(new CellParser(language))
            .history(known)
            .completer((_, line, into) -> complete(line, language, into))
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, MORE)
            .variable(LineReader.HISTORY_SIZE, HISTORY_MAX)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, false)
            .option(LineReader.Option.INSERT_TAB, false)
            .option(LineReader.Option.AUTO_FRESH_LINE, false);
    if (isColored) builder.highlighter(new Colors(language));
    var prompt = new CellPrompt(builder.build());
    for (var text : history) known.add(text);
    return prompt;
  }

  /// Has a text typed. Ctrl-C gives it up.
  public LineEditor.Entry read(String prompt) {
    try {
      return new LineEditor.Entry(reader.readLine(prompt), false);
    } catch (UserInterruptException _) {
      return new LineEditor.Entry(null, false);
    } catch (EndOfFileException _) {
      return new LineEditor.Entry(null, true);
    }
  }

  private static void complete(ParsedLine line, Language language, List<Candidate> into) {
    for (var word : language.complete(line.line(), line.cursor()).words()) {
      into.add(new Candidate(word, word, null, null, null, null, false));
    }
  }

  /// Tells whether a text is whole, and which word is completed.
  private record CellParser(Language language) implements Parser {
    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && language.isUnfinished(line)) {
        throw new EOFError(-1, cursor, "more lines follow");
      }
      int from = context == ParseContext.COMPLETE ? language.complete(line, cursor).from() : 0;
      return new Word(line, cursor, from);
    }

    @Override
    public boolean isEscapeChar(char c) {
      return false;
    }
  }

  /// The word before the cursor.
  private record Word(String line, int cursor, int from) implements CompletingParsedLine {
    @Override
    public String word() {
      return line.substring(from, cursor);
    }

    @Override
    public int wordCursor() {
      return cursor - from;
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return new ArrayList<>(List.of(word()));
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return wordCursor();
    }

    @Override
    public int rawWordLength() {
      return wordCursor();
    }
  }

  private record Colors(Language language) implements Highlighter {
    @Override
    public AttributedString highlight(LineReader reader, String text) {
      var all = new AttributedStringBuilder();
      int at = 0;
      for (var part : language.colors(text)) {
        all.append(text.substring(at, part.start()));
        all.styled(part.color().style(), text.substring(part.start(), part.end()));
        at = part.end();
      }
      return all.append(text.substring(at)).toAttributedString();
    }
  }
}
