package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The limits that a session has unless told otherwise, and the functions by which models of other
/// systems know it.
class SessionLimitsTest {
  record Mark(String name) {}

  private static String answer(String cell) throws Exception {
    var small = ScriptedModel.by(SessionLimitsTest::small);
    var mark = Tool.of("mark", "Marks.", Mark.class, (given, _) -> "done " + given.name());
    return ReplAgent.named("reader")
        .model(ScriptedModel.saying("```\n" + cell + "\n```"))
        .grants(Grants.none().model("small", small).middleware().tools(mark))
        .context(TextSource.of(""))
        .build()
        .run("?")
        .answer();
  }

  private static ChatReply small(ChatRequest request) {
    if (request.format() instanceof ResponseFormat.JsonSchema)
      return ScriptedModel.text("{\"total\": 7}");
    return ScriptedModel.text(request.messages().getLast().text().toUpperCase(Locale.ROOT));
  }

  @Test
  @Tag("S17")
  void a_session_has_limits_unless_told_otherwise() {
    assertThat(ReplLimits.standard()).isEqualTo(new ReplLimits(20, 64, 128, 32, 32, 8, 1, 8, 4, 0));
    var policy = ReplPolicy.standard();
    assertThat(policy.operations()).isEqualTo(5_000_000);
    assertThat(policy.memoryBytes()).isEqualTo(64L << 20);
    assertThat(policy.cellTime()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  @Tag("S7")
  void a_model_gives_text_or_a_value_that_fits_a_schema() throws Exception {
    assertThat(answer("answer(llm_query('hi'))")).isEqualTo("HI");
    var schema =
        "{'type': 'object', 'properties': {'total': {'type': 'integer'}}, 'required': ['total']}";
    assertThat(answer("answer(llm_query('sum', schema=" + schema + ")['total'] + 1)"))
        .isEqualTo("8");
  }

  @Test
  @Tag("S16")
  void the_names_of_the_published_prompts_work() throws Exception {
    assertThat(
            answer(
                """
                SHOW_VARS()
                many = [r.value for r in llm_query_batched(['b', 'c'])]
                marked = tool_call({'tool': 'mark', 'arguments': {'name': 'x'}})
                all = [llm('a'), many, model_query('d'), marked]
                FINAL_VAR('all')
                """))
        .isEqualTo("[\"A\",[\"B\",\"C\"],\"D\",\"done x\"]");
  }
}
