package dev.superstep.terminal.shell;

import dev.superstep.terminal.shell.ShellCommand.Branch;
import dev.superstep.terminal.shell.ShellCommand.Clause;
import dev.superstep.terminal.shell.ShellCommand.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses one command, simple or compound. One thread at a time.
final class CompoundParser {
  private static final Set<String> KEYWORDS =
      Set.of(
          "if",
          "then",
          "else",
          "elif",
          "fi",
          "do",
          "done",
          "case",
          "esac",
          "while",
          "until",
          "for",
          "select",
          "function",
          "coproc",
          "time",
          "{",
          "}",
          "!",
          "[[");
  private static final int KEYWORD_MAX = 8;

  private final Cursor cursor;
  private final ScriptParser scripts;
  private final WordParser words;
  private final SimpleParser simples;
  private final ConditionParser conditions;

  CompoundParser(Cursor cursor, ScriptParser scripts) {
    this.cursor = cursor;
    this.scripts = scripts;
    this.words = new WordParser(cursor);
    this.simples = new SimpleParser(cursor, words);
    this.conditions = new ConditionParser(cursor, words);
  }

  /// The reserved word at the cursor, which stays; empty if there is none.
  String keyword() {
    int length = 0;
    while (length <= KEYWORD_MAX && !isDelimiter(cursor.peek(length))) length++;
    if (length == 0 || length > KEYWORD_MAX) return "";
    var word = cursor.text(cursor.position(), cursor.position() + length);
    return KEYWORDS.contains(word) ? word : "";
  }

  static boolean isDelimiter(char c) {
    return c == Cursor.END || " \t\n;&|()<>".indexOf(c) >= 0;
  }

  ShellCommand command() {
    cursor.enter();
    int start = cursor.position();
    var word = keyword();
    var command =
        switch (word) {
          case "" -> cursor.peek() == '(' ? parenthesis(start) : simpleOrFunction(start);
          case "if" -> conditional(start);
          case "while", "until" -> loop(start, word);
          case "for", "select" -> each(start, word);
          case "case" -> choice(start);
          case "{" -> group(start);
          case "[[" -> test(start);
          case "function" -> function(start);
          case "coproc" -> coprocess(start);
          default -> throw cursor.error("`" + word + "` is not expected here");
        };
    cursor.leave();
    return command;
  }

  private ShellCommand parenthesis(int start) {
    int end = cursor.peek(1) == '(' ? words.expansions().arithmeticEnd(start + 2) : -1;
    if (end >= 0) {
      var parts = words.expansions().arithmetic(start + 2, end);
      return new ShellCommand.Arithmetic(parts, redirections(), cursor.span(start));
    }
    cursor.skip(1);
    var body = scripts.parenthesized(false);
    return new ShellCommand.Group(body, true, redirections(), cursor.span(start));
  }

  private ShellCommand group(int start) {
    cursor.skip(1);
    var body = scripts.sequence(Set.of("}"), false);
    expect("}");
    return new ShellCommand.Group(body, false, redirections(), cursor.span(start));
  }

  private ShellCommand conditional(int start) {
    var branches = new ArrayList<Branch>();
    @Nullable Sequence otherwise = null;
    expect("if");
    while (true) {
      var condition = scripts.sequence(Set.of("then"), false);
      expect("then");
      var body = scripts.sequence(Set.of("elif", "else", "fi"), false);
      branches.add(new Branch(condition, body));
      var word = keyword();
      if (word.equals("elif")) {
        expect("elif");
        continue;
      }
      if (word.equals("else")) {
        expect("else");
        otherwise = scripts.sequence(Set.of("fi"), false);
      }
      break;
    }
    expect("fi");
    return new ShellCommand.If(branches, otherwise, redirections(), cursor.span(start));
  }

  private ShellCommand loop(int start, String word) {
    expect(word);
    var condition = scripts.sequence(Set.of("do"), false);
    var body = doGroup();
    return new ShellCommand.While(
        condition, body, word.equals("until"), redirections(), cursor.span(start));
  }

  private Sequence doGroup() {
    expect("do");
    var body = scripts.sequence(Set.of("done"), false);
    expect("done");
    return body;
  }

  private ShellCommand each(int start, String word) {
    expect(word);
    cursor.skipBlanks();
    if (cursor.at("((") && word.equals("for")) return arithmeticFor(start);
    int from = cursor.position();
    while (!isDelimiter(cursor.peek())) cursor.skip(1);
    var name = cursor.text(from, cursor.position());
    if (!isName(name)) throw cursor.error("`for` needs the name of a variable");
    var items = new ArrayList<Word>();
    cursor.skipLines();
    if (atWord("in")) {
      cursor.skip(2);
      cursor.skipBlanks();
      while (!CompoundParser.isDelimiter(cursor.peek()) || words.startsProcess()) {
        items.add(words.word());
        cursor.skipBlanks();
      }
      separator(true);
    } else {
      separator(false);
    }
    var body = body();
    return new ShellCommand.For(
        name, items, body, word.equals("select"), redirections(), cursor.span(start));
  }

  private void separator(boolean isRequired) {
    if (cursor.peek() == ';' && cursor.peek(1) != ';') cursor.skip(1);
    else if (isRequired && cursor.peek() != '\n') throw cursor.error("`;` is missing");
    cursor.skipLines();
  }

  // Both `do ... done` and `{ ... }`.
  private Sequence body() {
    if (!keyword().equals("{")) return doGroup();
    expect("{");
    var body = scripts.sequence(Set.of("}"), false);
    expect("}");
    return body;
  }

  private ShellCommand arithmeticFor(int start) {
    int from = cursor.position() + 2;
    int end = words.expansions().arithmeticEnd(from);
    if (end < 0) throw cursor.error("`))` is missing");
    var parts = words.expansions().arithmetic(from, end);
    cursor.skipBlanks();
    separator(false);
    var body = body();
    return new ShellCommand.ArithmeticFor(parts, body, redirections(), cursor.span(start));
  }

  private ShellCommand choice(int start) {
    expect("case");
    cursor.skipBlanks();
    var subject = words.word();
    cursor.skipLines();
    if (!atWord("in")) throw cursor.error("`in` is missing");
    cursor.skip(2);
    var clauses = new ArrayList<Clause>();
    cursor.skipLines();
    while (!keyword().equals("esac")) {
      clauses.add(clause());
      cursor.skipLines();
    }
    expect("esac");
    return new ShellCommand.Case(subject, clauses, redirections(), cursor.span(start));
  }

  private Clause clause() {
    cursor.take("(");
    var patterns = new ArrayList<Word>();
    do {
      cursor.skipBlanks();
      patterns.add(words.word());
      cursor.skipBlanks();
    } while (cursor.take("|"));
    if (!cursor.take(")")) throw cursor.error("`)` is missing");
    var body = scripts.sequence(Set.of(ScriptParser.CLAUSE_END, "esac"), true);
    boolean isEnded = cursor.take(";;&") || cursor.take(";;") || cursor.take(";&");
    if (!isEnded && !keyword().equals("esac")) throw cursor.error("`;;` is missing");
    return new Clause(patterns, body);
  }

  private ShellCommand test(int start) {
    cursor.skip(2);
    var parts = conditions.condition();
    return new ShellCommand.Conditional(parts, redirections(), cursor.span(start));
  }

  private ShellCommand function(int start) {
    expect("function");
    cursor.skipBlanks();
    var name = words.word().raw();
    cursor.skipBlanks();
    if (cursor.peek() == '(') emptyParentheses();
    return new ShellCommand.Function(name, functionBody(), cursor.span(start));
  }

  private void emptyParentheses() {
    cursor.skip(1);
    cursor.skipBlanks();
    if (!cursor.take(")")) throw cursor.error("`)` is missing behind the name of a function");
  }

  private ShellCommand functionBody() {
    cursor.skipLines();
    boolean isCompound = cursor.peek() == '(' || opensCompound();
    if (!isCompound) throw cursor.error("a function needs a compound command");
    return command();
  }

  private boolean opensCompound() {
    return Set.of("if", "while", "until", "for", "select", "case", "{", "[[").contains(keyword());
  }

  private ShellCommand coprocess(int start) {
    expect("coproc");
    cursor.skipBlanks();
    var name = "COPROC";
    if (!opensCompound() && cursor.peek() != '(') {
      int from = cursor.position();
      while (!isDelimiter(cursor.peek())) cursor.skip(1);
      var named = cursor.text(from, cursor.position());
      cursor.skipBlanks();
      if (isName(named) && (opensCompound() || cursor.peek() == '(')) name = named;
      else cursor.moveTo(from);
    }
    return new ShellCommand.Coprocess(name, command(), cursor.span(start));
  }

  private ShellCommand simpleOrFunction(int start) {
    var command = simples.command();
    boolean isLone = command.words().size() == 1 && command.assignments().isEmpty();
    if (cursor.peek() != '(' || !isLone || !command.redirections().isEmpty()) {
      if (cursor.peek() == '(') throw cursor.error("`(` is not expected here");
      return command;
    }
    emptyParentheses();
    var name = command.words().getFirst().raw();
    return new ShellCommand.Function(name, functionBody(), cursor.span(start));
  }

  private List<Redirection> redirections() {
    return simples.redirections();
  }

  private void expect(String word) {
    if (!keyword().equals(word)) throw cursor.error("`" + word + "` is missing");
    cursor.skip(word.length());
  }

  private boolean atWord(String word) {
    return cursor.at(word) && isDelimiter(cursor.peek(word.length()));
  }

  static boolean isName(String text) {
    if (text.isEmpty() || Character.isDigit(text.charAt(0))) return false;
    return text.chars().allMatch(c -> WordParser.isNameChar((char) c));
  }
}
