package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Span;
import dev.superstep.language.blueprint.ConventionalChannel;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.Reference;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.Shape;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import dev.superstep.testkit.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The language reference of the guide is written from the tables of the language.
class ReferenceTest {
  /// Codes of any item: what stands twice, has the wrong form, or cannot be read at all.
  private static final Set<RagCode> ANY =
      EnumSet.of(
          RagCode.DUPLICATE_ITEM,
          RagCode.UNEXPECTED_TOKEN,
          RagCode.INVALID_TOKEN,
          RagCode.INVALID_NAME,
          RagCode.INVALID_NUMBER,
          RagCode.INVALID_ESCAPE,
          RagCode.INVALID_CHARACTER,
          RagCode.HIDDEN_DIRECTION,
          RagCode.UNTERMINATED_STRING,
          RagCode.UNKNOWN_ITEM,
          RagCode.TOO_DEEP,
          RagCode.MISSING_BRACE,
          RagCode.TOO_MANY_TOKENS);

  @Test
  @Tag("R16")
  @Tag("R40")
  void the_page_of_the_guide_is_what_the_tables_say() {
    Golden.in(Path.of("../docs/guide/reference")).check("rag.md", page());
  }

  @Test
  void everything_has_an_explanation() {
    for (var item : Item.values()) {
      assertThat(Reference.of(item).meaning()).as(item.name()).endsWith(".");
      assertThat(Reference.of(item).absent()).as(item.name()).isNotEmpty();
    }
    assertThat(Reference.standardReducers().keySet()).isEqualTo(ChannelCheck.standard());
    assertThat(Reference.channelCuts().keySet())
        .containsExactlyInAnyOrderElementsOf(ChannelCheck.cuts());
    assertThat(Reference.declared().keySet())
        .containsExactly("graph", "allow", "channel", "node", "join", "trigger");
  }

  @Test
  void the_reference_lists_each_code_that_the_faulty_sources_show_inside_an_item()
      throws IOException {
    int shown = 0;
    var missing = new TreeSet<String>();
    for (var text : HostileSources.sources()) {
      var compiled = FaultsTest.compile(text);
      for (var each : compiled.report().shown()) {
        var code =
            Arrays.stream(RagCode.values())
                .filter(one -> one.code().equals(each.code()))
                .findFirst()
                .orElseThrow();
        if (ANY.contains(code)) continue;
        for (var item : around(compiled.tree(), compiled.tree().root(), each.span())) {
          if (item == Item.DEFAULTS || item == Item.NODE_DEFAULTS || item == Item.START) continue;
          shown++;
          if (!Reference.codes(item).contains(code)) missing.add(item + " " + code);
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(shown).isGreaterThan(80);
  }

  /// The items that a place is in.
  private static List<Item> around(SyntaxTree tree, SyntaxNode node, Span place) {
    var items = new ArrayList<Item>();
    for (var child : node.children()) {
      var span = tree.span(child);
      if (span.start() > place.start() || place.end() > span.end()) continue;
      child.item().ifPresent(items::add);
      items.addAll(around(tree, child, place));
    }
    return items;
  }

  private static String page() {
    var out = new StringBuilder();
    out.append(
        """
        # Language reference of `.rag`

        <!-- Written by ReferenceTest from the tables of the language; -Dsuperstep.golden=write writes it again. -->

        Every item of the language: how it is written, what it means, what holds without it, and the
        codes that it can be reported with. The [grammar](../../../superstep-language/src/main/resources/dev/superstep/language/rag/rag.ebnf)
        is an EBNF file. Editors show the same sentences: `superstep rag lsp` serves them, and
        [editors/vscode](../../../editors/vscode) starts it.

        A source holds graphs. Names begin with a letter or `_` and hold letters, digits and `_`; a
        name of a graph, node or channel with other characters stands in quotes. Names of registered
        things are always strings. Words are keywords only where they stand: a node may be called `retry`.
        `START` and `END` are reserved. Strings have `\\n`, `\\t`, `\\r`, `\\\\` and `\\"`; text of several
        lines stands in three quotes, without the blanks that all its lines begin with. A duration is
        a number with `ms`, `s`, `m` or `h`. A comment begins with `//`.

        """);
    declarations(out);
    kinds(out);
    block(out, Scope.GRAPH, "Items of a graph");
    block(out, Scope.NODE, "Items of a node");
    block(out, Scope.START, "Items of `start { ... }`");
    block(out, Scope.DEFAULTS, "Items of `defaults`");
    block(out, Scope.NODE_DEFAULTS, "Items of `node` in `defaults`");
    keys(out);
    rest(out);
    codes(out);
    return out.toString();
  }

  private static void declarations(StringBuilder out) {
    out.append("## Declarations\n\n| keyword | meaning |\n|---|---|\n");
    Reference.declared().forEach((word, text) -> row(out, "`" + word + "`", text));
    out.append("| `a -> b` | b follows a; several edges from one node are all followed. |\n\n");
    out.append("`allow` takes ").append(quoted(Capability.words())).append(".\n\n");
  }

  private static void kinds(StringBuilder out) {
    out.append("## Kinds of nodes\n\n| kind | what a node does | its own items |\n|---|---|---|\n");
    for (var kind : NodeKind.values()) {
      var own =
          Item.in(Scope.NODE).values().stream()
              .filter(item -> item.fits(kind) && item.kinds().size() < NodeKind.values().length - 2)
              .map(Item::word)
              .toList();
      row(out, "`" + kind.word() + "`", Reference.of(kind), quoted(own));
    }
    out.append('\n');
  }

  private static void block(StringBuilder out, Scope scope, String title) {
    out.append("## ").append(title).append("\n\n");
    out.append("| item | meaning | without it | codes |\n|---|---|---|---|\n");
    for (var item : Item.in(scope).values()) {
      var entry = Reference.of(item);
      var codes = Reference.codes(item).stream().map(RagCode::code).toList();
      row(out, form(item), entry.meaning() + of(item, scope), entry.absent(), quoted(codes));
    }
    out.append('\n');
  }

  private static String of(Item item, Scope scope) {
    boolean isNarrow = scope == Scope.NODE && item.kinds().size() < NodeKind.values().length;
    if (!isNarrow) return "";
    var kinds = Arrays.stream(NodeKind.values()).filter(item::fits).map(NodeKind::word).toList();
    return " Kinds: " + quoted(kinds) + ".";
  }

  private static String form(Item item) {
    if (item.shape() == Shape.FLAG) return "`" + item.word() + "`";
    if (!item.words().isEmpty()) {
      return "`" + item.word() + " " + String.join("`, `", item.words()) + "`";
    }
    return "`" + item.word() + "` " + written(item);
  }

  /// The form of a value, as an example.
  private static String written(Item item) {
    return switch (item.shape()) {
      case WORD, FLAG -> "";
      case TEXT -> "`\"name\"`";
      case TEXTS -> "`[\"a\", \"b\"]`";
      case NAME -> "`name`";
      case NAMES -> "`[a, b]`";
      case TARGETS -> item == Item.START ? "`a`, `[a, b]` or `{ ... }`" : "`a` or `[a, b]`";
      case COUNT -> "`3`";
      case DURATION -> "`90s`";
      case OBJECT -> "`{ key: value }`";
      case PROMPT -> "`\"text\"` or `template \"name\"`";
      case TYPE -> "`text`, `list<text>`, `Ticket`";
      case FIELDS -> "`{ name type  other type? }`";
      case ROUTER -> "`\"name\"` or `many \"name\"`";
      case ROUTES -> "`{ label -> a  b }`";
      case SENDS -> "`[send a \"mapping\"]`";
      case FAN_OUT -> "`\"router\" -> [a, b]`";
      case COMMAND -> "`{ goto a  update { channel: value } }`";
      case STEERING -> "`{ human allow [\"pause\"]  delivery \"safe_boundary\" }`";
      case ON_FAILURE ->
          "`abort`, `skip`, `route a` or `fallback { channel: value }`, each with `record channel`";
      case RATE -> "`10 per 1s`";
      case SOURCES -> "`[a, b]`, `any [a, b]` or `2 of [a, b, c]`";
      case BLOCK -> "`{ ... }`";
    };
  }

  private static void keys(StringBuilder out) {
    out.append("## Keys of objects\n\n| item | key | value | meaning |\n|---|---|---|---|\n");
    for (var item : Item.values()) {
      for (var key : item.keys()) {
        var value =
            key.words().isEmpty()
                ? key.type().name().toLowerCase(java.util.Locale.ROOT)
                : quoted(key.words());
        row(out, "`" + item.word() + "`", "`" + key.name() + "`", value, key.meaning());
      }
    }
    out.append(
        "\n"
            + "`positive` and `count` are whole numbers, from 1 and from 0; `nodes` and `channels`"
            + " are\n"
            + "names in brackets.\n\n");
  }

  private static void rest(StringBuilder out) {
    table(out, "Reducers", "`channel name REDUCER`", Reference.standardReducers());
    out.append("Any registered reducer may be named by its own word.\n\n");
    conventions(out);
    table(out, "Limits of channels", "behind the type", Reference.channelCuts());
    out.append("## Types\n\n").append(quoted(TypeName.BUILT_IN));
    out.append(", `list<TYPE>`, or the name of a registered type.\n\n");
    out.append("## Steering commands\n\n").append(quoted(Reference.steeringCommands()));
    out.append("; actors are `parent` and `human`.\n\n");
  }

  private static void conventions(StringBuilder out) {
    out.append(
        """
        ## Channels with a known name

        A graph that declares one of these by `channel` needs no further items for its nodes to use
        it. With a reducer or a type that does not fit they do not, and a warning says so
        (`E-rag-conventional-channel`). Nodes that run in one superstep and write to `overwrite`
        conflict, as with any channel: use `append` for several. Where a channel holds one value and
        a node has several, it writes their list.

        | channel | what it holds | reducers |
        |---|---|---|
        """);
    for (var each : ConventionalChannel.values()) {
      var more = each.takesRegistered() ? " or a registered one" : "";
      row(out, "`" + each.word() + "`", each.meaning(), quoted(each.reducers()) + more);
    }
    out.append('\n');
  }

  private static void table(
      StringBuilder out, String title, String head, Map<String, String> rows) {
    out.append("## ")
        .append(title)
        .append("\n\n| ")
        .append(head)
        .append(" | meaning |\n|---|---|\n");
    rows.forEach((word, text) -> row(out, "`" + word + "`", text));
    out.append('\n');
  }

  private static void codes(StringBuilder out) {
    out.append(
        "## Codes\n\nA code never changes its meaning. Any item can be reported with "
            + quoted(ANY.stream().map(RagCode::code).toList())
            + ".\n\n| code | severity | meaning | items |\n|---|---|---|---|\n");
    for (var code : RagCode.values()) {
      var items = new TreeSet<String>();
      for (var item : Item.values()) {
        if (Reference.codes(item).contains(code)) items.add(item.word());
      }
      row(out, "`" + code.code() + "`", code.severity().word(), code.meaning(), quoted(items));
    }
  }

  private static String quoted(Collection<String> words) {
    return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }

  private static void row(StringBuilder out, String... cells) {
    var text =
        Arrays.stream(cells)
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | "));
    out.append("| ").append(text).append(" |\n");
  }
}
