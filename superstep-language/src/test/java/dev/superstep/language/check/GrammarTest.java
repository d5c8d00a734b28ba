package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The grammar as it is written, as it is parsed, and as golden sources use it.
class GrammarTest {
  private static final Path VALID = Path.of("src/test/resources/valid");
  private static final Pattern RULE = Pattern.compile("(?m)^([a-z_]+)\\s+=");
  private static final Pattern KEYWORD = Pattern.compile("\"([a-z_]+)\"");

  /// Productions that only group others.
  private static final Set<String> GROUPS =
      Set.of(
          "graph_item",
          "node_item",
          "start_item",
          "default_item",
          "node_default_item",
          "capability",
          "literal");

  private static String grammar() throws IOException {
    try (var in = SyntaxTree.class.getResourceAsStream("rag.ebnf")) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
  }

  @Test
  @Tag("R8")
  void the_grammar_has_a_rule_for_each_production_and_no_other() throws IOException {
    var rules = new TreeSet<>(found(RULE, grammar()));
    rules.removeAll(GROUPS);
    var productions =
        Arrays.stream(Production.values())
            .filter(each -> each != Production.SKIPPED)
            .map(Production::word)
            .toList();
    assertThat(rules).containsExactlyInAnyOrderElementsOf(productions);
  }

  @Test
  void the_grammar_has_each_item_with_its_words() throws IOException {
    var keywords = found(KEYWORD, grammar());
    for (var item : Item.values()) {
      assertThat(keywords).contains(item.word()).containsAll(item.words());
    }
    assertThat(keywords).containsAll(Capability.words());
  }

  @Test
  void the_grammar_lists_the_items_of_each_block() throws IOException {
    var text = grammar();
    var starts = rule(text, "start_item");
    var policies = rule(text, "node_default_item");
    assertThat(rule(text, "graph_item")).isEqualTo(items(Scope.GRAPH));
    assertThat(starts).isEqualTo(items(Scope.START));
    assertThat(policies).isEqualTo(items(Scope.NODE_DEFAULTS));
    assertThat(rule(text, "default_item")).isEqualTo(items(Scope.DEFAULTS));
    var node = rule(text, "node_item");
    node.addAll(starts);
    node.addAll(policies);
    assertThat(node).isEqualTo(items(Scope.NODE));
  }

  private static Set<String> items(Scope scope) {
    return new TreeSet<>(Item.in(scope).keySet());
  }

  /// The keywords with which the alternatives of a rule begin.
  private static Set<String> rule(String grammar, String name) {
    int start = grammar.indexOf("\n" + name + " ");
    var body = grammar.substring(grammar.indexOf('=', start) + 1, grammar.indexOf(';', start));
    var keywords = new TreeSet<String>();
    for (var alternative : body.replaceAll("\\([^)]*\\)", "").split("\\|")) {
      var keyword = KEYWORD.matcher(alternative);
      if (keyword.find()) keywords.add(keyword.group(1));
    }
    return keywords;
  }

  private static List<SyntaxTree> trees() throws IOException {
    var trees = new ArrayList<SyntaxTree>();
    try (Stream<Path> files = Files.list(VALID)) {
      for (var file : files.filter(each -> each.toString().endsWith(".rag")).toList()) {
        var source = Source.of(file.toString(), Files.readString(file));
        trees.add(SyntaxTree.parse(source, SyntaxLimits.WRITTEN, new Diagnostics()));
      }
    }
    return trees;
  }

  @Test
  void every_production_is_in_a_golden_source() throws IOException {
    var seen = EnumSet.noneOf(Production.class);
    for (var tree : trees()) visit(tree.root(), seen);
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.of(Production.SKIPPED)));
  }

  private static void visit(SyntaxNode node, Set<Production> seen) {
    seen.add(node.production());
    node.children().forEach(child -> visit(child, seen));
  }

  @Test
  @Tag("W5")
  void every_item_is_in_a_golden_source_in_each_block_that_has_it() throws IOException {
    var seen = new TreeSet<String>();
    for (var tree : trees()) {
      for (var graph : tree.root().children()) items(graph, Scope.GRAPH, seen);
    }
    var all = new TreeSet<String>();
    for (var scope : Scope.values()) {
      Item.in(scope).values().forEach(item -> all.add(scope + " " + item));
    }
    assertThat(seen).isEqualTo(all);
  }

  private static void items(SyntaxNode block, Scope scope, Set<String> seen) {
    for (var child : block.children()) {
      if (child.production() == Production.NODE) items(child, Scope.NODE, seen);
      child
          .item()
          .ifPresent(item -> {
            seen.add(scope + " " + item);
            var inner = child.child(Production.BLOCK);
            inner.ifPresent(each ->
                items(
                    each,
                    item == Item.DEFAULTS
                        ? Scope.DEFAULTS
                        : item == Item.START ? Scope.START : Scope.NODE_DEFAULTS,
                    seen));
          });
    }
  }

  @Test
  @Tag("R6")
  void the_tokens_and_what_is_between_them_are_the_source() throws IOException {
    for (var tree : trees()) {
      var text = new StringBuilder();
      for (int token = 0; token < tree.tokens().count(); token++) {
        text.append(tree.source().text(tree.tokens().before(token)));
        text.append(tree.tokens().text(token));
      }
      assertThat(text.toString()).isEqualTo(tree.source().text());
    }
  }
}
