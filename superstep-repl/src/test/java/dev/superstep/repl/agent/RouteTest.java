package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.event.Event;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A short text is read by the model itself, where that is allowed, and a listener is told so.
@Tag("S20")
class RouteTest {
  private static final String CELL = "```\nanswer(context.head(3))\n```";

  private final List<String> routes = new CopyOnWriteArrayList<>();

  private ScriptedModel asked(int tokens, String text) throws Exception {
    var model = ScriptedModel.saying(CELL);
    var options =
        RunOptions.defaults()
            .with(ReplAgent.CONTEXT, TextSource.of(text))
            .listener(event -> {
              if (event instanceof Event.NodeEmitted(_, _, _, var name, _)) routes.add(name);
            });
    var agent =
        ReplAgent.named("reader")
            .model(model)
            .limits(ReplLimits.standard().withDirect(tokens))
            .build();
    agent.run("How long?", options);
    routes.removeIf(name -> !name.equals(ReplAgent.ROUTE));
    return model;
  }

  private static String prompt(ScriptedModel model) {
    return model.requests().getFirst().messages().getLast().text();
  }

  @Test
  void a_text_within_the_limit_is_in_the_prompt_and_the_route_is_told() throws Exception {
    var model = asked(10, "needle ".repeat(5));
    assertThat(prompt(model)).startsWith("How long?").contains("needle needle");
    assertThat(routes).containsExactly(ReplAgent.ROUTE);
    assertThat(model.requests().getFirst().messages().getFirst().text())
        .as("nothing is said of a session")
        .doesNotContain("fenced");
  }

  @Test
  void a_longer_text_gets_a_session() throws Exception {
    var model = asked(10, "needle ".repeat(6));
    assertThat(prompt(model)).contains("a text of 42 characters").doesNotContain("needle");
    assertThat(routes).isEmpty();
  }

  @Test
  void without_a_limit_every_text_gets_a_session() throws Exception {
    assertThat(prompt(asked(0, "x"))).contains("a text of 1 characters");
    assertThat(routes).isEmpty();
  }
}
