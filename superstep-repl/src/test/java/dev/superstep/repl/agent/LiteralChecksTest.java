package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.host.TextSource;
import dev.superstep.tool.Tool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Calls that cannot succeed are found before anything of their cell runs, where their source shows
/// it.
@Tag("S27")
class LiteralChecksTest {
  record Sum(long sum, String of) {}

  private final AtomicInteger made = new AtomicInteger();

  /// The second message to the model: what became of its first cell.
  private String told(String cell) throws Exception {
    var write =
        Tool.of(
            "ledger_write",
            "Keeps a sum.",
            Sum.class,
            (_, _) -> String.valueOf(made.incrementAndGet()));
    var driver = ScriptedModel.saying("```\n" + cell + "\n```", "```\nanswer(1)\n```");
    ReplAgent.named("reader")
        .model(driver)
        .grants(
            Grants.none()
                .model("small", ScriptedModel.by(_ -> ScriptedModel.text("yes")))
                .tools(write))
        .context(TextSource.of(""))
        .build()
        .run("?");
    return driver.requests().get(1).messages().getLast().text();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tool("ledger_writ", sum=1, of="a") | E-ragsh-unknown-tool | did you mean `ledger_write`
          tool_call({"tool": "x", "arguments": {}}) | E-ragsh-unknown-tool | there is no tool `x`
          llm_query("a", model="smal") | E-ragsh-unknown-model | did you mean `small`
          llm_batch(["a"], model="big") | E-ragsh-unknown-model | there is no model `big`
          tool("ledger_write", sum="x", of="a") | E-ragsh-tool-arguments | do not fit tool
          tool("ledger_write", sum=1) | E-ragsh-tool-arguments | do not fit tool
          tool_batch([{"tool": "ledger_write", "arguments": {"of": 1}}]) | E-ragsh-tool-arguments | fit
          """)
  void a_literal_that_cannot_be_right_is_a_finding(String call, String code, String message)
      throws Exception {
    assertThat(told("tool('ledger_write', sum=1, of='first')\n" + call))
        .startsWith("Cell 1 failed.")
        .contains(code, message, "cell 1:2:");
    assertThat(made).hasValue(0);
  }

  @Test
  void a_call_that_its_source_shows_in_part_is_judged_by_that_part() throws Exception {
    assertThat(told("n = 2\ntool('ledger_write', sum=n, of='a')")).startsWith("Cell 1 ran.");
    assertThat(told("n = 2\ntool('ledger_write', sum='x', of=str(n))"))
        .contains("E-ragsh-tool-arguments");
    assertThat(told("a = {'sum': 1, 'of': 'b'}\ntool('ledger_write', **a)"))
        .startsWith("Cell 1 ran.");
    assertThat(made).hasValue(2);
  }

  @Test
  void a_name_that_is_a_variable_is_checked_when_it_is_called() throws Exception {
    assertThat(
            told(
                "for name in ['ledger_write', 'x']:\n"
                    + "    try:\n        tool(name, sum=1, of='a')\n"
                    + "    except HostError as e:\n        print(e.code)"))
        .startsWith("Cell 1 ran.")
        .contains("unknown-tool");
    assertThat(made).hasValue(1);
  }
}
