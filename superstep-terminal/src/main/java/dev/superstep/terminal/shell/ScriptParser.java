package dev.superstep.terminal.shell;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.terminal.shell.ShellCommand.Item;
import dev.superstep.terminal.shell.ShellCommand.Operator;
import dev.superstep.terminal.shell.ShellCommand.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Parses sequences and pipelines, the outer layer of the grammar. At the first fault the rest of
/// the text becomes one opaque node. One thread at a time.
final class ScriptParser {
  static final String PAREN = ")";
  static final String CLAUSE_END = ";;";

  private static final Set<String> CLOSERS =
      Set.of("then", "else", "elif", "fi", "do", "done", "esac", "}", "in", "]]");

  private final Cursor cursor;
  private final CompoundParser compounds;

  ScriptParser(Cursor cursor) {
    this.cursor = cursor;
    this.compounds = new CompoundParser(cursor, this);
  }

  static ShellScript parse(Source source, MappedText text) {
    var span = text.span(0, text.length());
    if (text.length() > ShellScript.LENGTH_MAX) {
      var error =
          new SyntaxError(
              "E-shell-too-long",
              new Span(span.start(), Math.min(span.end(), span.start() + 1)),
              "the command is longer than " + ShellScript.LENGTH_MAX + " characters");
      return broken(source, new ArrayList<>(), error, span);
    }
    var cursor = new Cursor(text, 0);
    var items = new ArrayList<Item>();
    var parser = new ScriptParser(cursor);
    int[] begun = {0};
    try {
      parser.items(Set.of(), items, begun);
      if (!cursor.atEnd()) throw cursor.error("`" + cursor.peek() + "` closes nothing");
      return new ShellScript(source, new Sequence(items, span), List.of());
    } catch (SyntaxError e) {
      return broken(source, items, e, text.span(begun[0], text.length()));
    }
  }

  private static ShellScript broken(Source source, List<Item> items, SyntaxError error, Span rest) {
    items.add(new Item(new ShellCommand.Opaque(error.reason(), rest), Operator.THEN));
    var span = items.getFirst().command().span().to(rest);
    return new ShellScript(
        source,
        new Sequence(items, span),
        List.of(Diagnostic.error(error.code(), error.span(), error.reason())));
  }

  /// Reads commands up to one of the words or signs that end them, which stays.
  Sequence sequence(Set<String> stops, boolean mayBeEmpty) {
    int start = cursor.position();
    var items = new ArrayList<Item>();
    cursor.enter();
    items(stops, items, new int[1]);
    cursor.leave();
    if (items.isEmpty() && !mayBeEmpty) throw cursor.error("a command is missing");
    return new Sequence(items, cursor.span(start));
  }

  /// Reads a sequence in parentheses, behind the opening one.
  Sequence parenthesized(boolean mayBeEmpty) {
    int awaited = cursor.awaited();
    var body = sequence(Set.of(PAREN), mayBeEmpty);
    if (!cursor.take(")")) throw cursor.error("`)` is missing");
    if (cursor.awaited() > awaited) throw cursor.error("a here-document begins behind its command");
    return body;
  }

  private void items(Set<String> stops, List<Item> items, int[] begun) {
    boolean isRequired = false;
    while (true) {
      cursor.skipLines();
      begun[0] = cursor.position();
      if (ends(stops)) {
        if (isRequired) throw cursor.error("a command is missing");
        return;
      }
      var command = pipeline();
      cursor.skipBlanks();
      var operator = operator();
      items.add(new Item(command, operator));
      isRequired = operator == Operator.AND || operator == Operator.OR;
      if (operator == Operator.THEN && !separated && !ends(stops)) {
        begun[0] = cursor.position();
        throw cursor.error("`" + shown() + "` is not expected here");
      }
    }
  }

  // Whether the last operator was written.
  private boolean separated;

  private Operator operator() {
    separated = true;
    if (cursor.take("&&")) return Operator.AND;
    if (cursor.take("||")) return Operator.OR;
    if (cursor.peek() == '&' && cursor.peek(1) != '>') {
      cursor.skip(1);
      return Operator.BACKGROUND;
    }
    if (cursor.peek() == '\n') {
      cursor.newLine();
      return Operator.THEN;
    }
    if (cursor.peek() == ';' && cursor.peek(1) != ';' && cursor.peek(1) != '&') {
      cursor.skip(1);
      return Operator.THEN;
    }
    separated = false;
    return Operator.THEN;
  }

  private String shown() {
    return cursor.text(cursor.position(), Math.min(cursor.limit(), cursor.position() + 1));
  }

  private boolean ends(Set<String> stops) {
    if (cursor.atEnd()) return true;
    char c = cursor.peek();
    if (c == ')') return closes(stops, PAREN);
    if (c == ';')
      return (cursor.peek(1) == ';' || cursor.peek(1) == '&')
          ? closes(stops, CLAUSE_END)
          : closes(stops, ";");
    var keyword = compounds.keyword();
    if (!CLOSERS.contains(keyword) || keyword.equals("in") || keyword.equals("]]")) return false;
    return closes(stops, keyword);
  }

  private boolean closes(Set<String> stops, String sign) {
    if (stops.contains(sign)) return true;
    throw cursor.error("`" + sign + "` closes nothing");
  }

  private ShellCommand pipeline() {
    int start = cursor.position();
    boolean isNegated = false;
    boolean isPrefixed = false;
    for (var word = compounds.keyword();
        word.equals("!") || word.equals("time");
        word = compounds.keyword()) {
      cursor.skip(word.length());
      cursor.skipBlanks();
      if (word.equals("!")) isNegated = !isNegated;
      else takeTimeOption();
      isPrefixed = true;
    }
    var commands = new ArrayList<ShellCommand>();
    if (isPrefixed && isBare())
      return new ShellCommand.Pipeline(List.of(), isNegated, cursor.span(start));
    commands.add(compounds.command());
    cursor.skipBlanks();
    while (cursor.peek() == '|' && cursor.peek(1) != '|') {
      cursor.skip(cursor.peek(1) == '&' ? 2 : 1);
      cursor.skipLines();
      if (cursor.atEnd()) throw cursor.error("a command is missing behind `|`");
      commands.add(piped());
      cursor.skipBlanks();
    }
    return commands.size() == 1 && !isPrefixed
        ? commands.getFirst()
        : new ShellCommand.Pipeline(commands, isNegated, cursor.span(start));
  }

  // `a | ! b` and `a | time b` are allowed by the shell.
  private ShellCommand piped() {
    var word = compounds.keyword();
    if (word.equals("!") || word.equals("time")) {
      cursor.enter();
      var inner = pipeline();
      cursor.leave();
      return inner;
    }
    return compounds.command();
  }

  private void takeTimeOption() {
    if (cursor.at("-p") && (cursor.peek(2) == ' ' || cursor.peek(2) == '\n')) {
      cursor.skip(2);
      cursor.skipBlanks();
    }
  }

  private boolean isBare() {
    char c = cursor.peek();
    return c == Cursor.END || c == '\n' || c == ';' || c == ')';
  }
}
