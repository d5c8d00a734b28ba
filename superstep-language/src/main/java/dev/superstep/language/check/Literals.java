package dev.superstep.language.check;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostic;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Span;
import dev.superstep.language.Suggestion;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Key;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.StringLiterals;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the values that stand in a source as they are, and objects of them.
final class Literals {
  private final SyntaxTree tree;
  private final Diagnostics diagnostics;

  Literals(SyntaxTree tree, Diagnostics diagnostics) {
    this.tree = tree;
    this.diagnostics = diagnostics;
  }

  Span span(SyntaxNode node) {
    return tree.span(node);
  }

  void report(RagCode code, SyntaxNode node, String message, String help) {
    diagnostics.add(code.at(span(node), message).help(help));
  }

  void add(Diagnostic diagnostic) {
    diagnostics.add(diagnostic);
  }

  /// The span of the first token.
  Span keyword(SyntaxNode node) {
    return tree.tokens().span(node.first());
  }

  boolean begins(SyntaxNode node, String word) {
    return tree.tokens().is(node.first(), word);
  }

  boolean endsWith(SyntaxNode node, char last) {
    return tree.text(node).indexOf(last, Math.max(0, tree.text(node).length() - 1)) >= 0;
  }

  /// Checks that a label is printable ASCII.
  boolean isLabel(SyntaxNode node, String label) {
    if (!label.isEmpty() && label.chars().allMatch(c -> c >= 0x20 && c < 0x7F)) return true;
    report(
        RagCode.INVALID_NAME,
        node,
        label.isEmpty()
            ? "a label is empty"
            : "a label holds characters that are not ASCII: " + CodePoints.foreign(label),
        "");
    return false;
  }

  String string(SyntaxNode node) {
    return tree.string(node, diagnostics);
  }

  String name(SyntaxNode node) {
    return tree.name(node, diagnostics);
  }

  String text(SyntaxNode node) {
    return tree.text(node);
  }

  /// Reads a value; null if it is not there or not right, which was reported.
  @Nullable Literal literal(SyntaxNode node) {
    return switch (node.production()) {
      case STRING -> written(string(node));
      case WORD -> word(text(node));
      case NUMBER -> new Literal.Decimal(new BigDecimal(text(node)));
      case DURATION -> duration(node);
      case OBJECT -> new Literal.Fields(object(node));
      case LIST -> {
        var values = new ArrayList<Literal>();
        for (var child : node.children()) {
          var value = literal(child);
          if (value != null) values.add(value);
        }
        yield new Literal.Many(values);
      }
      default -> null;
    };
  }

  private static @Nullable Literal written(String text) {
    return isWritable(text) ? new Literal.Text(text) : null;
  }

  /// Characters that cannot be written were reported by the lexer.
  static boolean isWritable(String text) {
    return StringLiterals.refusal(text).isEmpty();
  }

  private static Literal word(String word) {
    return switch (word) {
      case "true" -> new Literal.Bool(true);
      case "false" -> new Literal.Bool(false);
      case "null" -> new Literal.Null();
      default -> new Literal.Word(word);
    };
  }

  private @Nullable Literal duration(SyntaxNode node) {
    var duration = Durations.read(text(node));
    if (duration.isPresent()) return new Literal.Time(duration.get());
    report(RagCode.INVALID_TIMEOUT, node, "a duration is longer than 10 years, or too fine", "");
    return null;
  }

  /// Reads an object with any keys.
  Map<String, Literal> object(SyntaxNode node) {
    var values = new LinkedHashMap<String, Literal>();
    for (var entry : node.children(Production.ENTRY)) {
      var key = key(entry, values);
      var value = literal(entry.children().getLast());
      if (key != null && value != null) values.put(key, value);
    }
    return values;
  }

  private @Nullable String key(SyntaxNode entry, Map<String, Literal> before) {
    var node = entry.children().getFirst();
    var key = name(node);
    if (!isWritable(key)) return null;
    if (!before.containsKey(key)) return key;
    report(RagCode.DUPLICATE_NAME, node, "the key `" + key + "` is there twice", "");
    return null;
  }

  /// Reads an object whose keys and their types an item knows.
  Map<String, Literal> object(Item item, SyntaxNode node) {
    if (item.keys().isEmpty()) return object(node);
    var values = new LinkedHashMap<String, Literal>();
    for (var entry : node.children(Production.ENTRY)) {
      var name = key(entry, values);
      if (name == null) continue;
      var key = item.key(name);
      if (key.isEmpty()) {
        var names = item.keys().stream().map(Key::name).toList();
        var near = Suggestion.didYouMean(name, names);
        report(
            RagCode.UNKNOWN_KEY,
            entry.children().getFirst(),
            "`" + item.word() + "` has no key `" + name + "`",
            near.isEmpty() ? "its keys are " + quoted(names) : near);
        continue;
      }
      var value = typed(key.get(), entry.children().getLast());
      if (value != null) values.put(name, value);
    }
    return values;
  }

  static String quoted(List<String> names) {
    return "`" + String.join("`, `", names) + "`";
  }

  private @Nullable Literal typed(Key key, SyntaxNode node) {
    var value = literal(node);
    if (value == null) return null;
    return switch (key.type()) {
      case POSITIVE -> whole(key, node, value, 1);
      case COUNT -> whole(key, node, value, 0);
      case NUMBER -> number(key, node, value);
      case DURATION -> positive(key.name(), node, value);
      case WORD -> word(key, node, value);
      case BOOL -> value instanceof Literal.Bool ? value : wrong(key, node, "true or false");
      case TEXT -> value instanceof Literal.Text ? value : wrong(key, node, "a string");
      case NODES, CHANNELS -> names(key, node, value);
    };
  }

  private @Nullable Literal wrong(Key key, SyntaxNode node, String wanted) {
    report(RagCode.WRONG_TYPE, node, "`" + key.name() + "` must be " + wanted, "");
    return null;
  }

  private @Nullable Literal whole(Key key, SyntaxNode node, Literal value, int least) {
    if (value instanceof Literal.Decimal(var number)
        && number.stripTrailingZeros().scale() <= 0
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0) {
      return Literal.of(number.longValueExact());
    }
    return wrong(key, node, "a whole number of at least " + least);
  }

  private @Nullable Literal number(Key key, SyntaxNode node, Literal value) {
    if (value instanceof Literal.Decimal(var number) && number.signum() >= 0) return value;
    return wrong(key, node, "a number of at least 0");
  }

  /// Checks that a value is a duration of more than zero; null if not, which is reported.
  @Nullable Literal positive(String name, SyntaxNode node, Literal value) {
    if (value instanceof Literal.Time(var time) && time.isPositive()) return value;
    var help = "write a number and ms, s, m or h, as in `20s`";
    if (value instanceof Literal.Decimal(var number) && number.signum() > 0) {
      var text = number.toPlainString();
      help = "write `" + text + "ms` or `" + text + "s`";
    }
    var wanted = value instanceof Literal.Time ? "more than 0" : "a duration";
    report(RagCode.INVALID_TIMEOUT, node, "`" + name + "` must be " + wanted, help);
    return null;
  }

  private @Nullable Literal word(Key key, SyntaxNode node, Literal value) {
    var text =
        switch (value) {
          case Literal.Word(var word) -> word;
          case Literal.Text(var word) -> word;
          default -> "";
        };
    if (key.words().contains(text)) return new Literal.Word(text);
    report(
        RagCode.INVALID_VALUE,
        node,
        "`" + key.name() + "` must be one of " + quoted(key.words()),
        Suggestion.didYouMean(text, key.words()));
    return null;
  }

  private @Nullable Literal names(Key key, SyntaxNode node, Literal value) {
    if (!(value instanceof Literal.Many(var values))) {
      return wrong(key, node, "names in brackets");
    }
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) instanceof Literal.Word || values.get(i) instanceof Literal.Text) continue;
      return wrong(key, node.children().get(Math.min(i, node.children().size() - 1)), "names");
    }
    return value;
  }
}
