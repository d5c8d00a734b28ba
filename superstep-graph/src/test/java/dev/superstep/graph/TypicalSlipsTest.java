package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.InvalidGraph;
import dev.superstep.node.Command;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The slips that newcomers make compile, or are told by a message that leads on.
class TypicalSlipsTest {
  private static final Channel<List<String>, String> LOG = Channel.append("log", String.class);

  private static NodeResult plain(State state) {
    return Update.of(LOG, "plain " + state.get(LOG).size());
  }

  private static NodeResult full(State state, NodeContext context) {
    return Update.of(LOG, context.node() + " " + state.get(LOG).size());
  }

  @Test
  void a_node_may_have_the_state_alone_as_parameter() throws InterruptedException {
    var graph =
        Graph.named("g")
            .channels(LOG)
            .node("one", state -> Update.of(LOG, "one " + state.get(LOG).size()))
            .node("two", (state, _) -> Update.of(LOG, "two " + state.get(LOG).size()))
            .node("three", TypicalSlipsTest::plain)
            .node("four", TypicalSlipsTest::full)
            .node("five", _ -> Update.all(LOG, List.of("a", "b")))
            .edge(START, "one")
            .edge("one", "two")
            .edge("two", "three")
            .edge("three", "four")
            .edge("four", "five")
            .edge("five", END)
            .compile();
    var outcome = (Outcome.Completed) graph.invoke(Input.none());
    assertThat(outcome.state().get(LOG))
        .containsExactly("one 0", "two 1", "plain 2", "four 3", "a", "b");
  }

  @Test
  void a_command_node_without_destinations_is_told_of_them() {
    var graph =
        Graph.named("g")
            .channels(LOG)
            .node("choose", (_, _) -> Command.to("pay"))
            .node("pay", (_, _) -> Update.of(LOG, "paid"))
            .edge(START, "choose")
            .edge("pay", END);
    assertThatThrownBy(graph::compile)
        .isInstanceOf(InvalidGraph.class)
        .hasMessageContaining(
            "no path leads from node `choose` to END; add `edge(\"choose\", END)`, or"
                + " `destinations(\"choose\", ...)` if it returns commands");
  }

  @Test
  void a_list_for_a_channel_of_items_is_refused_as_the_documentation_says(@TempDir Path out)
      throws Exception {
    assertThat(compiled(out, "Update.all(LOG, List.of(\"a\", \"b\"))")).isEmpty();
    var message = compiled(out, "Update.of(LOG, List.of(\"a\", \"b\"))");
    assertThat(message).contains("inference variable W has incompatible bounds");
    var update = Path.of("src/main/java/dev/superstep/node/Update.java");
    assertThat(Files.readString(update)).contains("inference variable W has incompatible bounds");
  }

  /// The errors of javac for an expression; empty if it compiles.
  private static String compiled(Path out, String expression) throws IOException {
    var source =
        """
        import dev.superstep.node.Update;
        import dev.superstep.state.Channel;
        import java.util.List;
        class Slip {
          static final Channel<List<String>, String> LOG = Channel.append("log", String.class);
          static Update slip() { return %s; }
        }
        """
            .formatted(expression);
    var file = Files.writeString(out.resolve("Slip.java"), source);
    var modules = System.getProperty("jdk.module.path", "");
    var path = System.getProperty("java.class.path") + File.pathSeparator + modules;
    var said = new StringWriter();
    var javac = ToolProvider.findFirst("javac").orElseThrow();
    int code =
        javac.run(
            new PrintWriter(said),
            new PrintWriter(said),
            "-proc:none",
            "-cp",
            path,
            "-d",
            out.toString(),
            file.toString());
    return code == 0 ? "" : said.toString();
  }
}
