package dev.superstep.middleware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.tool.Tool;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T32")
class ToolResultOffloadTest {
  record None() {}

  private static final String LONG =
      IntStream.range(0, 60_000).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
  private static final Tool DUMP =
      Tool.of("dump", "Dumps.", None.class, (_, _) -> LONG).withResultLimit(2_000_000);
  private static final Pattern ID = Pattern.compile("with result `([^`]+)`");
  private static final Pattern NEXT = Pattern.compile("the next page is from (\\d+)");

  @Test
  void a_large_result_is_stored_shown_in_part_and_read_page_by_page() throws Exception {
    var read = new StringBuilder();
    var id = new String[1];
    var model =
        ScriptedModel.by(request -> {
          var last = request.messages().getLast().text();
          if (request.messages().size() == 2) {
            return ScriptedModel.calls(new ToolCall("c1", "dump", "{}"));
          }
          if (request.messages().size() == 4) {
            assertThat(last).startsWith("line 0\n").contains("characters left out");
            assertThat(last.length()).isLessThan(500);
            assertThat(last).contains("line 59999\n");
            var found = ID.matcher(last);
            assertThat(found.find()).isTrue();
            id[0] = found.group(1);
            return page(id[0], 0);
          }
          read.append(last.replaceAll("\n\\[\\d+ of .*$", ""));
          var next = NEXT.matcher(last);
          return next.find() && read.length() < 30_000
              ? page(id[0], Integer.parseInt(next.group(1)))
              : ScriptedModel.text("done");
        });
    var offload =
        ToolResultOffload.over(1_000)
            .in(node -> Namespace.of("of", node.metadata().getOrDefault("user", "nobody")));
    var agent = Talks.agent(model).tools(DUMP).middleware(offload).build();
    try (var store = InMemoryStore.open()) {
      var options = RunOptions.defaults().store(store).metadata("user", "ann");
      assertThat(agent.run("Dump it", options).answer()).isEqualTo("done");
      assertThat(read).hasSizeGreaterThan(30_000);
      assertThat(LONG).startsWith(read.toString());
      var space = Namespace.of("of", "ann", "tool-result", id[0]);
      assertThat(StoredTexts.read(space, store)).contains(LONG);
    }
  }

  @Test
  void small_results_and_unknown_ids_are_as_they_are() throws Exception {
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "look", "{\"name\":\"Oslo\"}")),
            page("no-such", 0),
            ScriptedModel.text("done"));
    var agent = Talks.agent(model).tools(Talks.LOOK).middleware(ToolResultOffload.over(20)).build();
    try (var store = InMemoryStore.open()) {
      agent.run("Weather?", RunOptions.defaults().store(store));
    }
    assertThat(Talks.texts(model.requests().getLast()))
        .contains("sun in Oslo", "There is no such result.");
  }

  private static dev.superstep.model.ChatReply page(String id, int from) {
    var arguments = "{\"result\":\"%s\",\"from\":%d}".formatted(id, from);
    return ScriptedModel.calls(new ToolCall("p" + from, "read_tool_result", arguments));
  }
}
