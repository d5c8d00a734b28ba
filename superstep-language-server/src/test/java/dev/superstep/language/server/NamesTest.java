package dev.superstep.language.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names across a source: explanations, definitions, uses, new names, layout and outline.
@Timeout(300)
class NamesTest {
  private static final Path VALID = Path.of("../superstep-language/src/test/resources/valid");

  private static Editor editor;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    editor = Editor.started();
  }

  @AfterAll
  static void stop() {
    editor.close();
  }

  private static final String DESK =
      """
      graph desk {
        input { claim text }
        channel notes append
        start check
        node check {
          kind model
          model "small"
          prompt "Look at {claim} and {notes}, not {{notes}."
          into notes
          next "pay out"
        }
        node "pay out" {
          kind subgraph
          graph "payment"
        }
        "pay out" -> END
      }
      graph payment {
        start check
        node check { model "large" }
      }
      """;

  private static String with(String text, String cursor) {
    assertThat(text).contains(cursor.replace("‸", ""));
    return text.replaceFirst(
        java.util.regex.Pattern.quote(cursor.replace("‸", "")),
        java.util.regex.Matcher.quoteReplacement(cursor));
  }

  private static String hover(String cursor) throws IOException, InterruptedException {
    var answer = editor.askAt("textDocument/hover", with(DESK, cursor));
    return answer.isJsonNull()
        ? ""
        : answer.getAsJsonObject().getAsJsonObject("contents").get("value").getAsString();
  }

  @Test
  void hovering_explains_items_kinds_keywords_and_names() throws Exception {
    assertThat(hover("in‸to notes"))
        .startsWith("`into name`")
        .contains("The channel that the answer");
    assertThat(hover("kind mod‸el")).isEqualTo("One call of a model; no tools run.");
    assertThat(hover("chan‸nel notes")).startsWith("`channel name reducer");
    assertThat(hover("notes app‸end")).isEqualTo("All writes, as a list.");
    assertThat(hover("start che‸ck")).startsWith("node `check` of kind `model`");
    assertThat(hover("next \"pay‸ out\"")).startsWith("node `pay out` of kind `subgraph`");
    assertThat(hover("into no‸tes")).startsWith("`channel notes append`");
    assertThat(hover("at {cl‸aim}")).isEqualTo("input `claim`: `claim text`");
    assertThat(hover("model \"sm‸all\"")).isEqualTo("a registered model");
    assertThat(hover("graph \"pay‸ment\"")).isEqualTo("graph `payment`");
    assertThat(hover("no‸t {{notes}")).isEmpty();
    assertThat(hover("  ‸  graph \"payment\"")).isEmpty();
  }

  private static List<String> places(JsonElement answer) {
    var all = new ArrayList<String>();
    for (var each : answer.getAsJsonArray()) {
      all.add(Editor.shown(each.getAsJsonObject().getAsJsonObject("range")));
    }
    return all;
  }

  @Test
  void a_name_leads_to_its_definition_in_its_own_graph() throws Exception {
    var method = "textDocument/definition";
    assertThat(places(editor.askAt(method, with(DESK, "start che‸ck"))))
        .containsExactly("4:7-4:12");
    assertThat(places(editor.askAt(method, with(DESK, "at {‸claim}"))))
        .containsExactly("1:10-1:15");
    assertThat(places(editor.askAt(method, with(DESK, "into notes‸"))))
        .containsExactly("2:10-2:15");
    assertThat(places(editor.askAt(method, with(DESK, "graph \"pay‸ment\""))))
        .containsExactly("17:6-17:13");
    assertThat(places(editor.askAt(method, with(DESK, "model \"sm‸all\"")))).isEmpty();
    assertThat(places(editor.askAt(method, with(DESK, "-> EN‸D")))).isEmpty();
  }

  @Test
  void all_uses_of_a_name_are_found() throws Exception {
    var cursor = Editor.Cursor.of(with(DESK, "into no‸tes"));
    var params = Editor.at(editor.open(cursor.text()), cursor.line(), cursor.character());
    params.add("context", Editor.object("{'includeDeclaration': true}"));
    assertThat(places(editor.ask("textDocument/references", params)))
        .containsExactlyInAnyOrder("2:10-2:15", "7:33-7:38", "8:9-8:14");
  }

  private static String renamed(String text, String name) throws IOException, InterruptedException {
    var cursor = Editor.Cursor.of(text);
    var uri = editor.open(cursor.text());
    var params = Editor.at(uri, cursor.line(), cursor.character());
    params.addProperty("newName", name);
    var changes = editor.ask("textDocument/rename", params).getAsJsonObject();
    return edited(cursor.text(), changes.getAsJsonObject("changes").getAsJsonArray(uri));
  }

  /// A text with edits that do not overlap.
  private static String edited(String text, JsonArray edits) {
    var all = new ArrayList<JsonObject>();
    for (var each : edits) all.add(each.getAsJsonObject());
    all.sort(Comparator.comparing((JsonObject each) -> offset(text, each, "start")).reversed());
    var out = new StringBuilder(text);
    for (var each : all) {
      out.replace(
          offset(text, each, "start"),
          offset(text, each, "end"),
          each.get("newText").getAsString());
    }
    return out.toString();
  }

  private static int offset(String text, JsonObject edit, String end) {
    var at = edit.getAsJsonObject("range").getAsJsonObject(end);
    int start = 0;
    for (int line = at.get("line").getAsInt(); line > 0; line--)
      start = text.indexOf('\n', start) + 1;
    return start + at.get("character").getAsInt();
  }

  @Test
  void a_new_name_is_written_everywhere_and_nowhere_else() throws Exception {
    assertThat(renamed(with(DESK, "into no‸tes"), "findings"))
        .isEqualTo(
            DESK.replace("channel notes", "channel findings")
                .replace("and {notes}", "and {findings}")
                .replace("into notes", "into findings"));
    assertThat(renamed(with(DESK, "next \"pay‸ out\""), "settle"))
        .isEqualTo(DESK.replace("\"pay out\"", "settle"));
    assertThat(renamed(with(DESK, "node che‸ck {\n    kind"), "look at"))
        .startsWith(DESK.substring(0, DESK.indexOf("start")) + "start \"look at\"")
        .endsWith(DESK.substring(DESK.indexOf("graph payment")));
    assertThat(renamed(with(DESK, "graph pay‸ment"), "payout"))
        .isEqualTo(DESK.replace("payment", "payout"));
  }

  @Test
  void a_name_that_would_not_fit_is_refused_with_the_reason() throws Exception {
    assertThat(refusal("into no‸tes", "claim")).isEqualTo("there is a `claim` already");
    assertThat(refusal("into no‸tes", "a-b")).contains("a prompt names the channel");
    assertThat(refusal("start che‸ck", "END")).isEqualTo("`END` is reserved");
    assertThat(refusal("start che‸ck", "1st")).contains("begins with a letter or `_`");
    assertThat(refusal("start che‸ck", "p\u0430y")).contains("begins with a letter or `_`");
    assertThat(refusal("model \"sm‸all\"", "big")).contains("only graphs, nodes and channels");
  }

  private static String refusal(String place, String name)
      throws IOException, InterruptedException {
    var cursor = Editor.Cursor.of(with(DESK, place));
    var params = Editor.at(editor.open(cursor.text()), cursor.line(), cursor.character());
    params.addProperty("newName", name);
    return editor.fails("textDocument/rename", params).get("message").getAsString();
  }

  /// Each name of each golden source is renamed, and back again.
  @Test
  void every_name_of_the_golden_sources_can_be_renamed_and_back() throws Exception {
    int names = 0;
    for (var file : List.of("everything.rag", "claim_desk.rag", "strings.rag")) {
      var text = Files.readString(VALID.resolve(file));
      var table = SymbolTable.of(OpenDocument.parse(text));
      for (var each : table.occurrences()) {
        if (!each.isDefinition()) continue;
        int at = each.span().start();
        var there = renamed(text.substring(0, at) + "‸" + text.substring(at), "renamed_now");
        assertThat(there).contains("renamed_now");
        var parsed = SymbolTable.of(OpenDocument.parse(there));
        assertThat(parsed.occurrences(each.symbol())).isEmpty();
        int again = there.indexOf("renamed_now");
        var back =
            renamed(there.substring(0, again) + "‸" + there.substring(again), each.symbol().name());
        assertThat(back.replace("\"", "")).isEqualTo(text.replace("\"", ""));
        names++;
      }
    }
    assertThat(names).isGreaterThan(30);
  }

  private static String formatted(String text) throws IOException, InterruptedException {
    var params = Editor.object("{'options': {'tabSize': 2, 'insertSpaces': true}}");
    params.add("textDocument", Editor.object("{'uri': '" + editor.open(text) + "'}"));
    return edited(text, editor.ask("textDocument/formatting", params).getAsJsonArray());
  }

  @Test
  @Tag("R36")
  void formatting_lays_out_keeps_windows_lines_and_leaves_broken_sources_alone() throws Exception {
    var laid = "graph g {\n  start a\n  node a {\n    model \"small\" // why\n  }\n}\n";
    assertThat(formatted("graph g { start a\n node a { model \"small\" // why\n } }"))
        .isEqualTo(laid.replace(" // why", "  // why"));
    assertThat(formatted("graph g {\r\n start a\r\n node a { model \"small\" }\r\n }\r\n"))
        .isEqualTo("graph g {\r\n  start a\r\n  node a {\r\n    model \"small\"\r\n  }\r\n}\r\n");
    var broken = "graph g { start a node a { model } ";
    assertThat(formatted(broken)).isEqualTo(broken);
    var again = laid.replace(" // why", "");
    assertThat(formatted(again)).isEqualTo(again);
  }

  @Test
  void the_outline_has_graphs_with_their_channels_and_nodes() throws Exception {
    var params = new JsonObject();
    params.add("textDocument", Editor.object("{'uri': '" + editor.open(DESK) + "'}"));
    var shown = new ArrayList<String>();
    for (var graph : editor.ask("textDocument/documentSymbol", params).getAsJsonArray()) {
      outline(graph.getAsJsonObject(), "", shown);
    }
    assertThat(shown)
        .containsExactly(
            "desk (graph) 0:6-0:10",
            "  notes (append) 2:10-2:15",
            "  check (model) 4:7-4:12",
            "  pay out (subgraph) 11:7-11:16",
            "payment (graph) 17:6-17:13",
            "  check (model) 19:7-19:12");
  }

  private static void outline(JsonObject symbol, String indent, List<String> into) {
    into.add(
        "%s%s (%s) %s"
            .formatted(
                indent,
                symbol.get("name").getAsString(),
                symbol.get("detail").getAsString(),
                Editor.shown(symbol.getAsJsonObject("selectionRange"))));
    if (!symbol.has("children")) return;
    for (var child : symbol.getAsJsonArray("children")) {
      outline(child.getAsJsonObject(), indent + "  ", into);
    }
  }
}
