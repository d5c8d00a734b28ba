package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T53")
class LedgerTest {
  private static final ModelRef MODEL = new ModelRef("scripted", "known");
  private static final ChatRequest ASK =
      ChatRequest.of(Message.user("x".repeat(3_000))).withMaxTokens(10);

  /// Only [#MODEL] has a price; writing to a cache costs twice as much as a plain prompt.
  private static final Prices PRICES =
      (model, usage) ->
          model.equals(MODEL)
              ? Optional.of(BigDecimal.valueOf(usage.input() + usage.cacheWrite() + usage.output()))
              : Optional.empty();

  private static Ledger.Reserved reserve(Ledger ledger, ChatRequest request)
      throws InterruptedException {
    return ledger.reserve(MODEL, request, TokenCounter.approximate());
  }

  private static Optional<ChatReply> reply(ModelRef by, Usage usage) {
    var text = ScriptedModel.text("ok");
    return Optional.of(
        new ChatReply(text.message(), usage, text.finish(), by, ChatReply.Source.LIVE));
  }

  @Test
  void an_answer_is_held_to_what_is_left_for_reasoning() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().reasoningTokens(100));
    var open = ChatRequest.of(Message.user("Think."));
    var first = reserve(ledger, open);
    assertThat(first.request().maxTokens()).hasValue(100);
    ledger.settle(first, reply(MODEL, new Usage(5, 0, 70, 60)));
    assertThat(reserve(ledger, open).request().maxTokens()).hasValue(40);
  }

  @Test
  void what_a_vendor_may_ask_for_writing_its_cache_is_reserved() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var plain = Ledger.of("a", Budget.unlimited().money("" + (prompt + 10), "USD", PRICES));
    assertThatThrownBy(() -> reserve(plain, ASK)).isInstanceOf(BudgetExceeded.class);
    var enough = Ledger.of("a", Budget.unlimited().money("" + (2 * prompt + 10), "USD", PRICES));
    var call = reserve(enough, ASK);
    var written = new Usage(prompt, 0, prompt, 10, 0, false);
    assertThat(enough.settle(call, reply(MODEL, written)).took().cost())
        .isEqualByComparingTo(call.most().cost());
  }

  @Test
  void a_reply_of_a_model_without_a_price_gives_back_what_was_reserved() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(2).money("5000", "USD", PRICES));
    var other = new ModelRef("scripted", "unknown");
    var call = reserve(ledger, ASK);
    var settled = ledger.settle(call, reply(other, new Usage(900, 0, 10, 0)));
    assertThat(settled.took().cost()).isEqualByComparingTo(call.most().cost());
    // With the reservation still standing, this would wait for a call that nobody makes.
    var second = reserve(ledger, ASK);
    ledger.settle(second, Optional.empty());
    assertThat(ledger.spent().calls()).isEqualTo(2);
    assertThatThrownBy(() -> reserve(ledger, ASK)).isInstanceOf(BudgetExceeded.class);
  }

  @Test
  void an_answer_is_held_to_the_money_that_is_left() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var open = ChatRequest.of(ASK.messages());
    var ledger = Ledger.of("a", Budget.unlimited().money("" + (4 * prompt + 110), "USD", PRICES));
    var first = reserve(ledger, open);
    assertThat(first.request().maxTokens()).hasValue((int) (2 * prompt + 110));
    assertThat(first.most().cost()).isEqualByComparingTo("" + (4 * prompt + 110));
    ledger.settle(first, reply(MODEL, new Usage(prompt, 0, prompt, 10, 0, false)));
    var second = reserve(ledger, open);
    assertThat(second.request().maxTokens()).hasValue(100);
    ledger.settle(second, reply(MODEL, new Usage(prompt, 0, prompt, 100, 0, false)));
    assertThatThrownBy(() -> reserve(ledger, open)).isInstanceOf(BudgetExceeded.class);
  }

  @Test
  void an_answer_is_not_made_longer_by_money() throws Exception {
    var rich = Ledger.of("a", Budget.unlimited().money("1000000", "USD", PRICES));
    assertThat(reserve(rich, ASK).request().maxTokens()).hasValue(10);
    assertThat(reserve(rich, ChatRequest.of(ASK.messages())).request().maxTokens()).hasValue(8_192);
  }

  @Test
  void what_is_refused_names_the_smallest_budget_that_would_do() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var open = ChatRequest.of(ASK.messages());
    var poor = Ledger.of("a", Budget.unlimited().money("0.05", "USD", PRICES));
    assertThatThrownBy(() -> reserve(poor, open))
        .hasMessage(
            "The budget of `a` allows 0.05 USD; 0 are used, and the next call takes at least "
                + (2 * prompt + 1)
                + ". Nothing was sent. Allow "
                + (2 * prompt + 1)
                + " or more, with room for an answer, and resume.");
    var few = Ledger.of("a", Budget.unlimited().totalTokens(20));
    assertThatThrownBy(() -> reserve(few, open))
        .hasMessageContaining("allows 20 total tokens")
        .hasMessageContaining("Allow " + (prompt + 1) + " or more");
    var enough = Ledger.of("a", Budget.unlimited().totalTokens(prompt + 1));
    assertThat(reserve(enough, open).request().maxTokens()).hasValue(1);
  }

  @Test
  void what_is_refused_names_the_budget_that_is_too_small_and_not_one_that_would_do()
      throws Exception {
    var open = ChatRequest.of(ASK.messages());
    var around = Ledger.of("ann", Budget.unlimited().money("100", "USD", PRICES));
    var own = around.within("agent", Budget.unlimited().money("5000", "USD", PRICES));
    assertThatThrownBy(() -> reserve(own, open)).hasMessageContaining("The budget of `ann`");
  }
}
