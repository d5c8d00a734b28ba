package dev.superstep.terminal.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses what begins with `$`, a backtick, `<(` or `>(`. One thread at a time.
final class ExpansionParser {
  private static final String SPECIAL = "@*#?-$!";
  private static final List<String> OPERATORS =
      List.of(
          ":-", ":=", ":?", ":+", "##", "%%", "//", "/#", "/%", "^^", ",,", "~~", "@", ":", "-",
          "=", "?", "+", "#", "%", "/", "^", ",", "~", "*");
  private static final Set<String> PATTERNS = Set.of("#", "##", "%", "%%", "/", "//", "/#", "/%");

  private final Cursor cursor;
  private final WordParser words;

  ExpansionParser(Cursor cursor, WordParser words) {
    this.cursor = cursor;
    this.words = words;
  }

  /// Reads an expansion, or nothing if the dollar stands for itself.
  @Nullable WordPart dollar(boolean isQuoted) {
    int start = cursor.position();
    char c = cursor.peek(1);
    if (c == '(') return parenthesis(start, isQuoted);
    if (c == '{') return braces(start, isQuoted);
    if (c == '[') return oldArithmetic(start);
    int length = 1;
    if (WordParser.isDigit(c) || SPECIAL.indexOf(c) >= 0) length = 2;
    else while (WordParser.isNameChar(cursor.peek(length))) length++;
    if (length == 1) return null;
    cursor.skip(length);
    if (cursor.peek() == '\\' && cursor.peek(1) == '\n' && !WordParser.isDigit(c)) {
      // The name may go on in the next line.
      if (WordParser.isNameChar(cursor.peek(2))) throw cursor.error("a name is broken over lines");
    }
    var name = cursor.text(start + 1, start + length);
    return new WordPart.Parameter(name, "", null, isQuoted, cursor.span(start));
  }

  private WordPart parenthesis(int start, boolean isQuoted) {
    int end = cursor.peek(2) == '(' ? arithmeticEnd(start + 3) : -1;
    if (end >= 0) return new WordPart.Arithmetic(arithmetic(start + 3, end), cursor.span(start));
    cursor.skip(2);
    var body = new ScriptParser(cursor).parenthesized(true);
    return new WordPart.CommandOutput(body, isQuoted, cursor.span(start));
  }

  /// Finds the `))` of an arithmetic expression; negative if the parentheses are those of commands.
  int arithmeticEnd(int from) {
    int open = 0;
    for (int at = from; at < cursor.limit(); at++) {
      char c = cursor.charAt(at);
      if (c == '\\') {
        at++;
      } else if (c == '\'' || c == '"') {
        at = closingQuote(at, c);
      } else if (c == '(') {
        open++;
      } else if (c == ')' && --open < 0) {
        cursor.spend(at - from);
        return cursor.charAt(at + 1) == ')' ? at : -1;
      }
    }
    cursor.spend(cursor.limit() - from);
    return -1;
  }

  private int closingQuote(int from, char quote) {
    int at = from + 1;
    while (at < cursor.limit() && cursor.charAt(at) != quote) {
      if (cursor.charAt(at) == '\\' && quote == '"') at++;
      at++;
    }
    return at;
  }

  /// Reads the expansions of an arithmetic expression; the cursor ends behind its `))`.
  List<WordPart> arithmetic(int from, int end) {
    var parts = expansionsIn(from, end);
    cursor.moveTo(end + 2);
    return parts;
  }

  private List<WordPart> expansionsIn(int from, int end) {
    cursor.enter();
    var parts = words.quoted(from, end).dynamicParts();
    cursor.leave();
    return parts;
  }

  private WordPart oldArithmetic(int start) {
    int open = 0;
    int at = start + 1;
    do {
      char c = cursor.charAt(at);
      if (c == '[') open++;
      if (c == ']') open--;
      if (at >= cursor.limit()) throw cursor.error("`]` is missing");
      at++;
    } while (open > 0);
    cursor.spend(at - start);
    var parts = expansionsIn(start + 2, at - 1);
    cursor.moveTo(at);
    return new WordPart.Arithmetic(parts, cursor.span(start));
  }

  private WordPart braces(int start, boolean isQuoted) {
    cursor.enter();
    cursor.skip(2);
    var prefix = prefix();
    int from = cursor.position();
    if (SPECIAL.indexOf(cursor.peek()) >= 0) cursor.skip(1);
    else while (WordParser.isNameChar(cursor.peek())) cursor.skip(1);
    var name = cursor.text(from, cursor.position());
    if (name.isEmpty()) throw cursor.error("`${` needs a name");
    int indexStart = cursor.position();
    var inIndex = cursor.peek() == '[' ? index() : List.<WordPart>of();
    var index = cursor.text(indexStart, cursor.position());
    var operator = operator();
    @Nullable Word argument = null;
    if (!operator.isEmpty() || !inIndex.isEmpty()) {
      argument = withIndex(words.braced(isQuoted, PATTERNS.contains(operator)), inIndex);
    }
    if (!cursor.take("}")) throw cursor.error("`}` is missing");
    cursor.leave();
    if (operator.isEmpty() && !index.isEmpty()) operator = isAll(index) ? "[@]" : "[]";
    var known = prefix.isEmpty() ? operator : prefix + "name";
    return new WordPart.Parameter(name, known, argument, isQuoted, cursor.span(start));
  }

  private static boolean isAll(String index) {
    return index.equals("[@]") || index.equals("[*]");
  }

  private String prefix() {
    char c = cursor.peek();
    if (c != '#' && c != '!') return "";
    char after = cursor.peek(1);
    boolean isName = WordParser.isNameChar(after);
    boolean isSpecial = SPECIAL.indexOf(after) >= 0 && cursor.peek(2) == '}';
    if (!isName && !isSpecial) return "";
    cursor.skip(1);
    return String.valueOf(c);
  }

  private List<WordPart> index() {
    int open = 0;
    int start = cursor.position();
    int at = start;
    do {
      char c = cursor.charAt(at);
      if (at >= cursor.limit()) throw cursor.error("`]` is missing");
      if (c == '[') open++;
      if (c == ']') open--;
      at++;
    } while (open > 0);
    cursor.spend(at - start);
    var parts = expansionsIn(start + 1, at - 1);
    cursor.moveTo(at);
    return parts;
  }

  private String operator() {
    if (cursor.peek() == '}') return "";
    for (var operator : OPERATORS) {
      if (cursor.take(operator)) return operator;
    }
    throw cursor.error("no such operator in `${ }`");
  }

  private static Word withIndex(Word argument, List<WordPart> index) {
    if (index.isEmpty()) return argument;
    var all = new ArrayList<>(index);
    all.addAll(argument.parts());
    return new Word(argument.raw(), all, argument.span());
  }

  /// Reads `<( )` or `>( )`.
  WordPart process() {
    int start = cursor.position();
    boolean isWritten = cursor.next() == '>';
    cursor.skip(1);
    var body = new ScriptParser(cursor).parenthesized(true);
    return new WordPart.ProcessFile(body, isWritten, cursor.span(start));
  }

  /// Reads a command in backticks: a text of its own, with one level of backslashes removed.
  WordPart backticks(boolean isQuoted) {
    int start = cursor.position();
    int end = start + 1;
    var kept = new StringBuilder();
    var places = new ArrayList<Integer>();
    while (cursor.charAt(end) != '`') {
      if (end >= cursor.limit()) throw cursor.error("backtick is not closed");
      if (cursor.charAt(end) == '\\' && end + 1 < cursor.limit()) {
        char after = cursor.charAt(end + 1);
        if (after == '`' || after == '$' || after == '\\' || (isQuoted && after == '"')) end++;
        else {
          kept.append('\\');
          places.add(end++);
        }
      }
      kept.append(cursor.charAt(end));
      places.add(end++);
    }
    var whole = cursor.part(start, end + 1);
    int[] indexes = places.stream().mapToInt(place -> place - start).toArray();
    var inner = new Cursor(whole.pick(kept.toString(), indexes), cursor.depth());
    var body = new ScriptParser(inner).sequence(Set.of(), true);
    if (!inner.atEnd()) throw inner.error("this closes nothing");
    cursor.moveTo(end + 1);
    return new WordPart.CommandOutput(body, isQuoted, cursor.span(start));
  }
}
