package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.tool.Tool;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The instructions that a model gets that works by cells.
@Tag("S22")
class ReplTemplateTest {
  record Query(String words) {}

  private static final Tool SEARCH =
      Tool.of("search", "Searches the archive.", Query.class, (_, _) -> "nothing");

  private static String instructions(UnaryOperator<ReplAgentBuilder> settings) throws Exception {
    var driver = ScriptedModel.saying("```\nanswer(1)\n```");
    settings.apply(ReplAgent.named("reader").model(driver)).build().run("?");
    return driver.requests().getFirst().messages().getFirst().text();
  }

  @Test
  void each_template_is_filled_from_what_is_granted_and_from_the_limits() throws Exception {
    for (var template : ReplTemplate.presets()) {
      var text =
          instructions(agent ->
              agent
                  .template(template)
                  .grants(Grants.none().model("small", ScriptedModel.saying()).tools(SEARCH))
                  .limits(ReplLimits.standard().withTurns(7).withCalls(11, 13, 17, 19))
                  .policy(ReplPolicy.standard().withOutput(5_000, 1 << 20)));
      assertThat(text)
          .as(template.name())
          .contains("Reply with one fenced block")
          .contains("at most 5,000 characters")
          .contains("The language is Python's surface")
          .contains("- llm_query(", "- map_llm(", "- tool(name", "Models: small.")
          .contains("- search: Searches the archive. Arguments: {")
          .contains(
              "Limits: 7 cells, 11 model calls, 13 tool calls, 17 agent calls, 19 graph runs.")
          .doesNotContain("{usage}", "{language}", "{capabilities}", "{limits}");
    }
  }

  @Test
  void templates_differ_in_the_way_that_they_tell_to_work() throws Exception {
    assertThat(instructions(agent -> agent)).startsWith("You answer by working in a session.");
    assertThat(instructions(agent -> agent.template(ReplTemplate.CONTEXT_EXPLORER)))
        .contains("search before you read");
    assertThat(instructions(agent -> agent.template(ReplTemplate.ORCHESTRATOR)))
        .contains("in one batch");
    assertThat(instructions(agent -> agent.template(ReplTemplate.COMBINATORS)))
        .contains("Write no loops around calls of models", "stands at {}\n");
  }

  @Test
  void what_is_not_granted_is_not_named() throws Exception {
    assertThat(instructions(agent -> agent.template(ReplTemplate.ORCHESTRATOR)))
        .doesNotContain("llm_query", "map_llm", "Tools:", "Models:");
  }

  @Test
  void a_text_of_ones_own_gets_the_same_values_and_keeps_other_braces() throws Exception {
    var own =
        ReplTemplate.of("Law. {limits} {{usage}} {} {\"a\": 1} $1\n{language}\n{capabilities}");
    var text = instructions(agent -> agent.template(own).instructions("Be brief."));
    assertThat(text)
        .startsWith("Law. Limits: 20 cells")
        .contains(" {usage} {} {\"a\": 1} $1\n", "\nFunctions:\n")
        .endsWith("\n\nBe brief.\n");
  }

  @Test
  void an_unknown_placeholder_is_refused_with_the_name_that_was_meant() {
    assertThatThrownBy(() -> ReplTemplate.of("{usage} {capabilites}"))
        .isInstanceOfSatisfying(
            UnknownPlaceholder.class, e -> assertThat(e.placeholder()).isEqualTo("capabilites"))
        .hasMessageContaining("Did you mean `{capabilities}`?");
  }

  @Test
  void the_language_is_that_of_the_interpreter() throws Exception {
    record Other(SessionBackend inside) implements SessionBackend {
      @Override
      public String name() {
        return "other";
      }

      @Override
      public String language() {
        return "The language is another one.";
      }

      @Override
      public CellSession open(ReplPolicy policy, Capabilities host) {
        return inside.open(policy, host);
      }
    }
    assertThat(instructions(agent -> agent.backend(new Other(SessionBackend.ragsh()))))
        .contains("The language is another one.")
        .doesNotContain("Python");
  }
}
