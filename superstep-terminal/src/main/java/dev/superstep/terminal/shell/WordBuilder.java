package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Collects the parts of a word, and makes brace expansions of them. One thread at a time.
final class WordBuilder {
  private final Cursor cursor;
  private final boolean expandsBraces;
  private final List<Atom> atoms = new ArrayList<>();
  private final StringBuilder run = new StringBuilder();
  private boolean isRunQuoted;
  private int runStart;
  private int open;

  private sealed interface Atom {}

  private record Part(WordPart part) implements Atom {}

  private record Mark(char sign, int position) implements Atom {}

  /// A brace that is open, with the choices before the last comma.
  private static final class Frame {
    private final int position;
    private final List<Word> choices = new ArrayList<>();
    private List<WordPart> current = new ArrayList<>();
    private int currentStart;

    private Frame(int position) {
      this.position = position;
      this.currentStart = position + 1;
    }
  }

  WordBuilder(Cursor cursor, boolean expandsBraces) {
    this.cursor = cursor;
    this.expandsBraces = expandsBraces;
  }

  /// Takes the character at the cursor as it is.
  void character(boolean isQuoted) {
    if (run.isEmpty() || isRunQuoted != isQuoted) {
      flush();
      runStart = cursor.position();
      isRunQuoted = isQuoted;
    } else if (runStart + run.length() != cursor.position()) {
      flush();
      runStart = cursor.position();
    }
    run.append(cursor.next());
  }

  /// Takes characters at the cursor as one that they stand for.
  void escaped(int length, String value) {
    int start = cursor.position();
    cursor.skip(length);
    part(new WordPart.Literal(value, true, cursor.span(start)));
  }

  /// Takes text between quotes.
  void quoted(int from, int to) {
    part(new WordPart.Literal(cursor.text(from, to), true, cursor.span(from, to)));
  }

  void part(WordPart part) {
    flush();
    atoms.add(new Part(part));
  }

  /// Takes a brace or a comma at the cursor.
  void mark(char sign) {
    if (!expandsBraces || (sign != '{' && open == 0)) {
      character(false);
      return;
    }
    flush();
    atoms.add(new Mark(sign, cursor.position()));
    cursor.skip(1);
    if (sign == '{') open++;
    if (sign == '}') open--;
    if (open > ShellScript.DEPTH_MAX) throw cursor.error("braces are too deep");
  }

  Word word(int start) {
    var parts = parts();
    int end = cursor.position();
    return new Word(cursor.text(start, end), parts, cursor.span(start, end));
  }

  List<WordPart> dynamicParts() {
    return parts().stream().filter(part -> !(part instanceof WordPart.Literal)).toList();
  }

  private void flush() {
    if (run.isEmpty()) return;
    var span = cursor.span(runStart, runStart + run.length());
    atoms.add(new Part(new WordPart.Literal(run.toString(), isRunQuoted, span)));
    run.setLength(0);
  }

  private List<WordPart> parts() {
    flush();
    var frames = new ArrayDeque<Frame>();
    frames.push(new Frame(-1));
    for (var atom : atoms) {
      switch (atom) {
        case Part(var part) -> top(frames).current.add(part);
        case Mark(var sign, var at) when sign == '{' -> frames.push(new Frame(at));
        case Mark(var sign, var at) when frames.size() == 1 ->
            top(frames).current.add(sign(sign, at));
        case Mark(var sign, var at) when sign == ',' -> choice(top(frames), at);
        case Mark(var _, var at) -> close(frames, at);
      }
    }
    while (frames.size() > 1) {
      var unclosed = frames.pop();
      top(frames).current.addAll(flat(unclosed));
    }
    return merged(top(frames).current);
  }

  private static Frame top(ArrayDeque<Frame> frames) {
    return frames.element();
  }

  private WordPart sign(char sign, int at) {
    return new WordPart.Literal(String.valueOf(sign), false, cursor.span(at, at + 1));
  }

  private void choice(Frame frame, int at) {
    var raw = cursor.text(frame.currentStart, at);
    frame.choices.add(new Word(raw, merged(frame.current), cursor.span(frame.currentStart, at)));
    frame.current = new ArrayList<>();
    frame.currentStart = at + 1;
  }

  private void close(ArrayDeque<Frame> frames, int at) {
    var frame = frames.pop();
    var raw = cursor.text(frame.position, at + 1);
    var span = cursor.span(frame.position, at + 1);
    if (!frame.choices.isEmpty()) {
      choice(frame, at);
      top(frames).current.add(new WordPart.Braces(frame.choices, raw, span));
    } else if (raw.contains("..") && frame.current.size() == 1) {
      top(frames).current.add(new WordPart.Braces(List.of(), raw, span));
    } else {
      top(frames).current.addAll(flat(frame));
      top(frames).current.add(sign('}', at));
    }
  }

  private List<WordPart> flat(Frame frame) {
    var parts = new ArrayList<WordPart>();
    parts.add(sign('{', frame.position));
    for (var choice : frame.choices) {
      parts.addAll(choice.parts());
      int end = choice.span().end();
      parts.add(new WordPart.Literal(",", false, new Span(end, end + 1)));
    }
    parts.addAll(frame.current);
    return parts;
  }

  /// Joins unquoted texts that stand side by side.
  private static List<WordPart> merged(List<WordPart> parts) {
    var all = new ArrayList<WordPart>();
    var text = new StringBuilder();
    int start = -1;
    int end = -1;
    for (var part : parts) {
      boolean isPlain =
          part instanceof WordPart.Literal literal
              && !literal.isQuoted()
              && literal.value().length() == literal.span().length();
      if (start >= 0 && (!isPlain || part.span().start() != end)) {
        all.add(new WordPart.Literal(text.toString(), false, new Span(start, end)));
        text.setLength(0);
        start = -1;
      }
      if (!isPlain) {
        all.add(part);
        continue;
      }
      if (start < 0) start = part.span().start();
      end = part.span().end();
      if (part instanceof WordPart.Literal literal) text.append(literal.value());
    }
    if (start >= 0) all.add(new WordPart.Literal(text.toString(), false, new Span(start, end)));
    return all;
  }
}
