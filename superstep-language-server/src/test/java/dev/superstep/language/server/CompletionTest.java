package dev.superstep.language.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What an editor offers at each kind of place.
@Timeout(300)
class CompletionTest {
  private static Editor editor;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    editor = Editor.started();
  }

  @AfterAll
  static void stop() {
    editor.close();
  }

  private static List<JsonObject> items(String text) throws IOException, InterruptedException {
    var all = new ArrayList<JsonObject>();
    for (JsonElement each : editor.askAt("textDocument/completion", text).getAsJsonArray()) {
      all.add(each.getAsJsonObject());
    }
    return all;
  }

  private static List<String> labels(String text) throws IOException, InterruptedException {
    return items(text).stream().map(each -> each.get("label").getAsString()).toList();
  }

  private static String node(String items) {
    return """
    graph g {
      channel notes append
      start first
      node first { kind model model "small" next second }
      node second { %s }
    }
    """
        .formatted(items);
  }

  @Test
  void a_node_is_offered_the_kinds() throws Exception {
    assertThat(labels(node("kind ‸")))
        .containsExactly(
            "model",
            "agent",
            "tool_executor",
            "router",
            "subgraph",
            "subagent",
            "repl_agent",
            "interrupt",
            "human",
            "join",
            "function");
    assertThat(labels(node("kind mo‸del"))).contains("agent");
  }

  @Test
  void a_node_is_offered_the_items_of_its_kind_that_it_lacks() throws Exception {
    assertThat(labels(node("kind agent model \"small\" ‸")))
        .contains("tools", "prompt", "retry", "next")
        .doesNotContain("model", "kind", "options", "graph", "channel");
    assertThat(labels(node("kind interrupt\n ‸\n prompt \"Pay?\"")))
        .contains("options", "into")
        .doesNotContain("prompt", "tools");
    assertThat(labels(node("‸"))).contains("kind", "options", "tools", "sources");
  }

  @Test
  void a_graph_is_offered_items_declarations_and_the_nodes_that_edges_begin_at() throws Exception {
    assertThat(labels("graph g { start a node a { model \"small\" }\n ‸ }"))
        .contains("node", "channel", "allow", "join", "trigger", "defaults", "input", "a")
        .doesNotContain("start", "kind", "graph");
    assertThat(labels("‸")).containsExactly("graph");
    assertThat(labels("graph g { start a node a { model \"small\" } }\n‸"))
        .containsExactly("graph");
  }

  @Test
  void what_leads_somewhere_is_offered_nodes() throws Exception {
    for (var place :
        List.of("next ‸", "next [first, ‸]", "routes { yes -> ‸ }", "command { goto ‸ }")) {
      assertThat(labels(node(place))).as(place).containsExactly("first", "second", "END");
    }
    assertThat(labels(node("sends [send ‸ \"per_question\"]"))).containsExactly("first", "second");
    assertThat(labels(node("on_failure route ‸"))).contains("first", "second");
    assertThat(labels("graph g { start ‸ node a { model \"small\" } }")).containsExactly("a");
    assertThat(labels("graph g { start a node a { model \"small\" }\n a -> ‸\n }"))
        .containsExactly("a", "END");
    assertThat(labels("graph g { start a node a { model \"small\" }\n join [a, ‸] -> END }"))
        .containsExactly("a");
  }

  @Test
  void what_reads_and_writes_is_offered_channels() throws Exception {
    for (var place :
        List.of(
            "into ‸",
            "reads [‸]",
            "writes [‸]",
            "run_when_changed [‸]",
            "cache { by: [‸] }",
            "command { update { ‸ } }",
            "on_failure skip record ‸")) {
      assertThat(labels(node(place))).as(place).containsExactly("notes");
    }
    assertThat(labels("graph g { input { claim text }\n output { ‸ } }")).contains("claim");
  }

  @Test
  void strings_are_offered_what_is_registered() throws Exception {
    assertThat(labels(node("model \"‸\""))).containsExactly("large", "small");
    assertThat(labels(node("model \"sm‸"))).containsExactly("large", "small");
    assertThat(labels(node("kind agent tools [\"notify\", \"‸\"]")))
        .containsExactly("notify", "refund");
    assertThat(labels(node("kind router router \"‸\""))).containsExactly("by_size");
    assertThat(labels(node("sends [send first \"‸\"]"))).containsExactly("per_question");
    assertThat(labels(node("kind subagent agent \"‸\""))).containsExactly("fact_checker");
    assertThat(
            labels(
                node("kind subgraph graph \"‸\"")
                    + "graph other { start x node x { model \"small\" } }"))
        .containsExactly("other");
  }

  @Test
  void a_name_without_quotes_becomes_one_with_quotes() throws Exception {
    var item = items(node("model ‸")).getFirst();
    assertThat(item.get("label").getAsString()).isEqualTo("large");
    assertThat(item.getAsJsonObject("textEdit").get("newText").getAsString())
        .isEqualTo("\"large\"");
    assertThat(labels(node("kind agent tools [‸]"))).containsExactly("notify", "refund");
  }

  @Test
  void only_what_the_graph_allows_is_offered() throws Exception {
    var text = "graph g { allow models [\"small\"]\n start a\n node a { model \"‸\" } }";
    assertThat(labels(text)).containsExactly("small");
    assertThat(labels("graph g { allow models [\"‸\"] }")).containsExactly("large", "small");
    assertThat(labels("graph g { allow ‸ }")).contains("models", "tools", "stores");
  }

  @Test
  void channels_are_offered_reducers_types_and_cuts() throws Exception {
    assertThat(labels("graph g { channel c ‸\n }")).contains("append", "sum", "messages", "delta");
    assertThat(labels("graph g { channel c append of ‸\n }"))
        .contains("text", "int", "list", "Ticket");
    assertThat(labels("graph g { channel c append ‸\n }")).contains("of", "keep_last");
  }

  @Test
  void objects_are_offered_their_keys_and_words() throws Exception {
    assertThat(labels(node("retry { ‸ }"))).startsWith("max_attempts", "backoff", "initial");
    assertThat(labels(node("retry { backoff: ‸ }"))).containsExactly("exponential", "fixed");
    assertThat(labels("graph g { breakpoints { before: [‸] }\n node a { model \"small\" } }"))
        .containsExactly("a");
    assertThat(labels("graph g { defaults { durability ‸ } }"))
        .containsExactly("sync", "async", "exit");
    assertThat(labels("graph g { defaults { ‸ } }")).contains("recursion_limit", "node");
    assertThat(labels(node("steering { ‸ }"))).contains("parent", "human", "delivery");
    assertThat(labels(node("steering { human allow [\"‸\"] }"))).contains("pause", "cancel");
    assertThat(labels(node("on_failure ‸"))).containsExactly("abort", "skip", "route", "fallback");
  }

  @Test
  void nothing_is_offered_in_comments_and_in_texts_for_models() throws Exception {
    assertThat(labels(node("// kind ‸"))).isEmpty();
    assertThat(labels(node("prompt \"\"\"\n model ‸\n \"\"\""))).isEmpty();
    assertThat(labels(node("prompt \"the model ‸\""))).isEmpty();
  }

  @Test
  void a_completion_replaces_the_whole_word_in_utf_16_columns() throws Exception {
    var item = items("graph g {\r\n // 🎉\r\n node a { /* */ model \"🎉sm‸all\" } }").getFirst();
    var range = item.getAsJsonObject("textEdit").getAsJsonObject("range");
    assertThat(Editor.shown(range)).isEqualTo("2:23-2:30");
    assertThat(item.getAsJsonObject("documentation").get("value").getAsString())
        .isEqualTo("a registered model");
  }
}
