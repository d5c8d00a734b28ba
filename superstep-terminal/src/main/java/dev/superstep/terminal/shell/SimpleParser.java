package dev.superstep.terminal.shell;

import dev.superstep.terminal.shell.Redirection.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses simple commands: assignments, words and redirections. One thread at a time.
final class SimpleParser {
  private static final Set<String> DECLARING =
      Set.of("declare", "typeset", "local", "export", "readonly");

  // So far is the index of an array looked for, as in `a[1]=x`.
  private static final int INDEX_MAX = 512;

  private final Cursor cursor;
  private final WordParser words;

  SimpleParser(Cursor cursor, WordParser words) {
    this.cursor = cursor;
    this.words = words;
  }

  ShellCommand.Simple command() {
    int start = cursor.position();
    int end = start;
    var assignments = new ArrayList<Assignment>();
    var arguments = new ArrayList<Word>();
    var redirections = new ArrayList<Redirection>();
    while (true) {
      var redirection = redirection();
      if (redirection != null) {
        redirections.add(redirection);
      } else if (CompoundParser.isDelimiter(cursor.peek()) && !words.startsProcess()) {
        break;
      } else {
        wordOrAssignment(assignments, arguments);
      }
      end = cursor.position();
      cursor.skipBlanks();
    }
    if (end == start) throw cursor.error("a command is missing");
    return new ShellCommand.Simple(assignments, arguments, redirections, cursor.span(start, end));
  }

  private void wordOrAssignment(List<Assignment> assignments, List<Word> arguments) {
    boolean isDeclared =
        !arguments.isEmpty() && DECLARING.contains(arguments.getFirst().literal().orElse(""));
    var assignment = arguments.isEmpty() ? assignment(false) : isDeclared ? assignment(true) : null;
    if (assignment != null) assignments.add(assignment);
    else arguments.add(words.word());
  }

  /// Redirections behind a compound command.
  List<Redirection> redirections() {
    var all = new ArrayList<Redirection>();
    int end = cursor.position();
    cursor.skipBlanks();
    for (var each = redirection(); each != null; each = redirection()) {
      all.add(each);
      end = cursor.position();
      cursor.skipBlanks();
    }
    cursor.moveTo(end);
    return all;
  }

  private @Nullable Redirection redirection() {
    int start = cursor.position();
    int length = 0;
    if (cursor.peek() == '{') {
      length = 1;
      while (WordParser.isNameChar(cursor.peek(length))) length++;
      length = length > 1 && cursor.peek(length) == '}' ? length + 1 : 0;
    } else {
      while (WordParser.isDigit(cursor.peek(length))) length++;
    }
    char c = cursor.peek(length);
    boolean isAll = length == 0 && c == '&' && cursor.peek(1) == '>';
    if (!isAll && c != '<' && c != '>') return null;
    if (cursor.peek(length + 1) == '(' && !isAll && length == 0) return null;
    var descriptor = cursor.text(start, start + length);
    cursor.skip(length);
    var kind = kind();
    cursor.skipBlanks();
    boolean isProcess = words.startsProcess();
    if (CompoundParser.isDelimiter(cursor.peek()) && !isProcess) {
      throw cursor.error("a redirection needs a file");
    }
    return target(start, descriptor, kind, kind == Kind.HERE_DOCUMENT && stripsTabs);
  }

  // Whether the last operator was `<<-`.
  private boolean stripsTabs;

  private Kind kind() {
    stripsTabs = cursor.at("<<-");
    if (cursor.take("&>>")) return Kind.APPEND_ALL;
    if (cursor.take("&>")) return Kind.WRITE_ALL;
    if (cursor.take("<<<")) return Kind.HERE_STRING;
    if (cursor.take("<<-") || cursor.take("<<")) return Kind.HERE_DOCUMENT;
    if (cursor.take("<&")) return Kind.COPY_INPUT;
    if (cursor.take("<>")) return Kind.READ_WRITE;
    if (cursor.take("<")) return Kind.READ;
    if (cursor.take(">>")) return Kind.APPEND;
    if (cursor.take(">|")) return Kind.CLOBBER;
    if (cursor.take(">&")) return Kind.COPY_OUTPUT;
    cursor.skip(1);
    return Kind.WRITE;
  }

  private Redirection target(int start, String descriptor, Kind kind, boolean isStripped) {
    var word = words.word();
    var known = kind;
    if (kind == Kind.COPY_OUTPUT && descriptor.isEmpty() && !isDescriptor(word)) {
      known = Kind.WRITE_ALL;
    }
    @Nullable HereDocument document = null;
    if (kind == Kind.HERE_DOCUMENT) {
      document = new HereDocument(word, isStripped);
      cursor.await(document);
    }
    return new Redirection(descriptor, known, word, document, cursor.span(start));
  }

  private static boolean isDescriptor(Word word) {
    var text = word.literal().orElse("");
    return !text.isEmpty() && text.chars().allMatch(c -> c == '-' || WordParser.isDigit((char) c));
  }

  /// Reads an assignment if there is one.
  ///
  /// @param onlyArray whether others stay words, as behind `export`
  private @Nullable Assignment assignment(boolean onlyArray) {
    int start = cursor.position();
    int at = start;
    while (WordParser.isNameChar(cursor.charAt(at))) at++;
    if (at == start || WordParser.isDigit(cursor.charAt(start))) return null;
    var name = cursor.text(start, at);
    int indexStart = at;
    if (cursor.charAt(at) == '[') {
      at = indexEnd(at);
      if (at < 0) return null;
    }
    int indexEnd = at;
    boolean isAppended = cursor.charAt(at) == '+' && cursor.charAt(at + 1) == '=';
    if (isAppended) at++;
    if (cursor.charAt(at) != '=') return null;
    if (onlyArray && cursor.charAt(at + 1) != '(') return null;
    @Nullable Word index = null;
    if (indexEnd > indexStart) index = words.quoted(indexStart + 1, indexEnd - 1);
    cursor.moveTo(at + 1);
    if (cursor.peek() == '(') {
      var elements = elements();
      return new Assignment(name, index, null, elements, isAppended, cursor.span(start));
    }
    var value = words.value();
    return new Assignment(name, index, value, List.of(), isAppended, cursor.span(start));
  }

  private int indexEnd(int open) {
    int depth = 0;
    for (int at = open; at < open + INDEX_MAX; at++) {
      char c = cursor.charAt(at);
      if (c == Cursor.END || c == '\n') return -1;
      if (c == '[') depth++;
      if (c == ']' && --depth == 0) return at + 1;
    }
    return -1;
  }

  private List<Word> elements() {
    cursor.skip(1);
    var all = new ArrayList<Word>();
    cursor.skipLines();
    while (!cursor.take(")")) {
      if (CompoundParser.isDelimiter(cursor.peek()) && !words.startsProcess()) {
        throw cursor.error("`)` is missing");
      }
      all.add(words.word());
      cursor.skipLines();
    }
    return all;
  }
}
