package dev.superstep.repl.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.registry.Component;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import dev.superstep.registry.UnknownComponent;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.agent.ReplAgent;
import dev.superstep.repl.agent.ReplTemplate;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.tool.Tool;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A whole run by programs as one text.
@Tag("S22")
class ReplConfigTest {
  record Query(String words) {}

  private static Registry registry(ScriptedModel big, ScriptedModel small) {
    var search = Tool.of("search", "Searches.", Query.class, (of, _) -> of.words() + "!");
    return Registry.named("test")
        .register(Component.of(Kind.MODEL, "big", big))
        .register(Component.of(Kind.MODEL, "small", small))
        .register(Component.of(Kind.TOOL, "search", search));
  }

  @Test
  void one_text_and_a_registry_make_the_agent() throws Exception {
    var big =
        ScriptedModel.saying(
            "```\nanswer([llm_query(context.head(3)), tool('search', words='x'),"
                + " budget()['model_calls']])\n```");
    var small =
        ScriptedModel.by(asked ->
            ScriptedModel.text(
                asked.messages().getLast().text().toUpperCase(java.util.Locale.ROOT)));
    var config =
        """
        {"interpreter": "ragsh", "driver_model": "big", "sub_model": "small", "tools": ["search"],
         "template": "context-explorer", "instructions": "Be exact.",
         "policy": {"turns": 3, "model_calls": 5, "direct_tokens": 0}}
        """;
    var agent = ReplConfig.parse(config).agent(registry(big, small));
    var options = RunOptions.defaults().with(ReplAgent.CONTEXT, TextSource.of("abcdef"));
    assertThat(agent.run("?", options).answer()).isEqualTo("[\"ABC\",\"x!\",4]");
    var told = big.requests().getFirst().messages().getFirst().text();
    assertThat(told)
        .contains("search before you read", "Limits: 3 cells, 5 model calls", "Models: small.")
        .endsWith("Be exact.\n");
  }

  @Test
  void what_is_left_out_has_the_standard_value() {
    var config = ReplConfig.parse("{\"driver_model\": \"big\"}");
    assertThat(config.template()).isEqualTo(ReplTemplate.GENERAL);
    assertThat(config.limits()).isEqualTo(ReplLimits.standard().withDirect(12_000));
    assertThat(config.tokens()).isEqualTo(2_000_000);
    assertThat(config.runTime()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.interpreter()).isEqualTo("ragsh");
  }

  @Test
  void a_short_text_is_read_by_the_driver_itself() throws Exception {
    var big = ScriptedModel.saying("A short answer.");
    var agent = ReplConfig.parse("{\"driver_model\": \"big\"}").agent(registry(big, big));
    var options = RunOptions.defaults().with(ReplAgent.CONTEXT, TextSource.of("abcdef"));
    assertThat(agent.run("?", options).answer()).isEqualTo("A short answer.");
    assertThat(big.requests().getFirst().messages().getLast().text()).contains("abcdef");
  }

  private static void refused(String json, String key, String... words) {
    assertThatThrownBy(() -> ReplConfig.parse(json))
        .as(json)
        .isInstanceOfSatisfying(InvalidReplConfig.class, e -> assertThat(e.key()).isEqualTo(key))
        .message()
        .contains(words);
  }

  @Test
  void what_is_wrong_is_told_with_its_key() {
    refused("{\"driver_modle\": \"a\"}", "driver_modle", "Did you mean `driver_model`?");
    refused(
        "{\"driver_model\": \"a\", \"policy\": {\"turn\": 3}}",
        "policy.turn",
        "Did you mean `turns`?");
    refused("{}", "driver_model", "missing");
    refused("{\"driver_model\": 3}", "driver_model", "must be a text");
    refused("[]", "", "object");
    refused("{\"driver_model\"", "", "no JSON");
    refused(
        "{\"driver_model\": \"a\", \"template\": \"orchestrate\"}",
        "template",
        "general, context-explorer, orchestrator, combinators",
        "Did you mean `orchestrator`?");
    refused("{\"driver_model\": \"a\", \"template\": {}}", "template.text", "missing");
    refused("{\"driver_model\": \"a\", \"tools\": [1]}", "tools", "list of texts");
    refused("{\"driver_model\": \"a\", \"tools\": [\"b\", \"b\"]}", "tools", "twice");
    for (var turns : new String[] {"0", "-1", "1.5", "\"3\"", "99999999999"}) {
      refused(
          "{\"driver_model\": \"a\", \"policy\": {\"turns\": " + turns + "}}",
          "policy.turns",
          "whole number from 1");
    }
    refused("{\"driver_model\": \"a\", \"policy\": {\"depth\": 5}}", "policy.depth", "0 to 4");
  }

  @Test
  void names_are_those_of_the_registry() {
    var registry = registry(ScriptedModel.saying(), ScriptedModel.saying());
    assertThatThrownBy(() -> ReplConfig.parse("{\"driver_model\": \"bigg\"}").agent(registry))
        .isInstanceOf(UnknownComponent.class)
        .hasMessageContaining("big");
    var other = ReplConfig.parse("{\"driver_model\": \"big\", \"interpreter\": \"cpython\"}");
    assertThatThrownBy(() -> other.agent(registry))
        .isInstanceOfSatisfying(
            InvalidReplConfig.class, e -> assertThat(e.key()).isEqualTo("interpreter"));
    registry.register(Component.of(ReplConfig.INTERPRETER, "cpython", SessionBackend.ragsh()));
    assertThat(other.agent(registry).name()).isEqualTo("repl");
  }
}
