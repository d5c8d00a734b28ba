package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.HostedCall;
import dev.superstep.message.HostedFile;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostedFeesTest {
  private static final ModelRef CLAUDE = ModelRef.parse("anthropic://claude-opus-4-6");
  private static final ModelRef GPT = ModelRef.parse("openai://gpt-5.4");
  private static final String SEARCHES =
      "{\"type\":\"server_tool_use\",\"id\":\"%1$s\",\"name\":\"web_search\",\"input\":{}}";
  private static final String FAILS =
      "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"%1$s\",\"content\":{\"type\":\"web_search_tool_result_error\",\"error_code\":\"unavailable\"}}";
  private static final String RUNS =
      "{\"type\":\"server_tool_use\",\"id\":\"%1$s\",\"name\":\"bash_code_execution\",\"input\":{}}";

  private static AssistantMessage said(String vendor, String... parts) {
    var content = new ArrayList<Content>();
    content.add(new Content.Text("She did."));
    for (var part : parts) {
      content.add(new Content.Extension(new Content.Seal(vendor, Json.parse(part))));
    }
    return new AssistantMessage("", content, List.of());
  }

  private static BigDecimal fees(ModelRef model, String... parts) {
    return HostedFees.standard().of(model, said(model.provider(), parts));
  }

  @Test
  void a_search_costs_by_the_call_and_a_failed_one_nothing() {
    assertThat(fees(CLAUDE)).isZero();
    assertThat(fees(CLAUDE, SEARCHES.formatted("a"), SEARCHES.formatted("b"))).isEqualTo("0.02");
    assertThat(fees(CLAUDE, SEARCHES.formatted("a"), FAILS.formatted("a"))).isZero();
    var opened = "{\"type\":\"web_search_call\",\"action\":{\"type\":\"open_page\"}}";
    assertThat(fees(GPT, "{\"type\":\"web_search_call\",\"action\":{\"type\":\"search\"}}", opened))
        .isEqualTo("0.01");
    assertThat(fees(GPT, "{\"type\":\"web_search_call\",\"status\":\"failed\"}")).isZero();
  }

  @Test
  void a_container_costs_by_the_reply() {
    assertThat(fees(CLAUDE, RUNS.formatted("a"), RUNS.formatted("b"))).isEqualTo("0.0042");
    var runs = "{\"type\":\"code_interpreter_call\",\"container_id\":\"c\"}";
    assertThat(fees(GPT, runs, runs)).isEqualTo("0.03");
  }

  @Test
  void a_tool_of_a_server_costs_nothing_whatever_its_name() {
    var call = "{\"type\":\"mcp_tool_use\",\"id\":\"m\",\"name\":\"web_search\",\"input\":{}}";
    assertThat(fees(CLAUDE, call)).isZero();
    assertThat(HostedCall.of(said("anthropic", call)))
        .containsExactly(new HostedCall("anthropic", "mcp", "web_search", false));
  }

  @Test
  void gemini_costs_by_the_query_since_its_third_version() {
    var search = new HostedCall("gemini", "web_search", "web_search", false).part();
    var reply = new AssistantMessage("", List.of(search, search), List.of());
    var fees = HostedFees.standard();
    assertThat(fees.of(ModelRef.parse("gemini://gemini-3-flash"), reply)).isEqualTo("0.028");
    assertThat(fees.of(ModelRef.parse("gemini://gemini-2.5-flash"), reply)).isEqualTo("0.035");
  }

  @Test
  void the_table_says_from_when_and_where_it_is_and_a_fee_of_the_program_comes_first() {
    var standard = HostedFees.standard();
    assertThat(standard.date()).isAfter(LocalDate.of(2026, 1, 1));
    assertThat(standard.fees()).allSatisfy(fee -> assertThat(fee.source()).startsWith("https://"));
    var own = standard.with(HostedFees.Fee.perCall("openai", "web_search", "0.5"));
    assertThat(own.of(GPT, said("openai", "{\"type\":\"web_search_call\"}"))).isEqualTo("0.5");
    assertThatThrownBy(() -> HostedFees.Fee.perReply("openai", "web_search", "-1"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void fees_count_as_money_of_the_budget_and_of_those_around() throws Exception {
    Prices free = (_, _) -> Optional.of(BigDecimal.ZERO);
    var dollars = Budget.unlimited().money("0.015", "USD", free);
    var day = Ledger.of("day", dollars);
    var run = day.within("run", Budget.unlimited());
    var request = ChatRequest.of(Message.user("Who won?"));
    var counter = TokenCounter.approximate();
    for (var expected : List.of("0.01", "0.02")) {
      var call = run.reserve(CLAUDE, ModelProfile.UNKNOWN, request, counter);
      var said = said("anthropic", SEARCHES.formatted("a"));
      var usage = new Usage(5, 0, 5, 0);
      var reply = new ChatReply(said, usage, ChatReply.Finish.STOP, CLAUDE, ChatReply.Source.LIVE);
      assertThat(run.settle(call, reply).took().cost()).isEqualTo("0.01");
      assertThat(day.spent().cost()).isEqualTo(expected);
    }
    assertThatThrownBy(() -> run.reserve(CLAUDE, ModelProfile.UNKNOWN, request, counter))
        .isInstanceOf(BudgetExceeded.class);
  }

  @Test
  void a_budget_in_another_currency_has_no_fees_unless_they_are_set_in_it() {
    Prices free = (_, _) -> Optional.of(BigDecimal.ZERO);
    var euros = Budget.unlimited().money("1", "EUR", free);
    var said = said("openai", "{\"type\":\"web_search_call\"}");
    var reply =
        new ChatReply(
            said, new Usage(1, 0, 1, 0), ChatReply.Finish.STOP, GPT, ChatReply.Source.LIVE);
    assertThat(Ledger.of("a", euros).spendOf(reply).cost()).isZero();
    var fees = HostedFees.none("EUR").with(HostedFees.Fee.perCall("openai", "web_search", "0.008"));
    assertThat(Ledger.of("a", euros.hostedFees(fees)).spendOf(reply).cost()).isEqualTo("0.008");
    assertThatThrownBy(() -> euros.hostedFees(HostedFees.standard()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in USD")
        .hasMessageContaining("in EUR");
    assertThatThrownBy(() -> Budget.unlimited().hostedFees(HostedFees.standard()))
        .hasMessageContaining("no currency");
  }

  @Test
  void files_that_code_made_are_listed_once() {
    var result =
        "{\"type\":\"bash_code_execution_tool_result\",\"tool_use_id\":\"a\",\"content\":{\"type\":\"bash_code_execution_result\",\"content\":[{\"type\":\"bash_code_execution_output\",\"file_id\":\"file_1\"}]}}";
    var other = new HostedFile("openai", "cfile_1", "cntr_1", "plot.png");
    var parts = new ArrayList<>(said("anthropic", result, result).content());
    parts.add(other.part());
    assertThat(HostedFile.of(new AssistantMessage("", parts, List.of())))
        .containsExactly(new HostedFile("anthropic", "file_1", "", ""), other);
  }
}
