package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
    return ledger.reserve(MODEL, ModelProfile.UNKNOWN, request, TokenCounter.approximate());
  }

  private static ChatReply reply(ModelRef by, Usage usage) {
    var text = ScriptedModel.text("ok");
    return new ChatReply(text.message(), usage, text.finish(), by, ChatReply.Source.LIVE);
  }

  @Test
  void an_answer_is_limited_to_the_rest_of_the_reasoning_budget() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().reasoningTokens(100));
    var open = ChatRequest.of(Message.user("Think."));
    var first = reserve(ledger, open);
    assertThat(first.request().maxTokens()).hasValue(100);
    ledger.settle(first, reply(MODEL, new Usage(5, 0, 70, 60)));
    assertThat(reserve(ledger, open).request().maxTokens()).hasValue(40);
  }

  @Test
  void the_possible_cost_of_cache_writes_is_reserved() throws Exception {
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
  void a_reply_of_a_model_without_a_price_releases_its_reservation() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(2).money("5000", "USD", PRICES));
    var other = new ModelRef("scripted", "unknown");
    var call = reserve(ledger, ASK);
    var settled = ledger.settle(call, reply(other, new Usage(900, 0, 10, 0)));
    assertThat(settled.took().cost()).isEqualByComparingTo(call.most().cost());
    // With the reservation still standing, this would wait for a call that nobody makes.
    var second = reserve(ledger, ASK);
    ledger.fail(second, new ModelException(ModelException.Kind.UNAVAILABLE, "gone"));
    assertThat(ledger.spent().calls()).isEqualTo(2);
    assertThatThrownBy(() -> reserve(ledger, ASK)).isInstanceOf(BudgetExceeded.class);
  }

  @Test
  void an_answer_is_limited_to_the_money_that_is_left() throws Exception {
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
  void a_refusal_names_the_smallest_sufficient_budget() throws Exception {
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
  void a_refusal_names_the_budget_that_is_too_small_not_a_sufficient_one() throws Exception {
    var open = ChatRequest.of(ASK.messages());
    var parent = Ledger.of("ann", Budget.unlimited().money("100", "USD", PRICES));
    var own = parent.within("agent", Budget.unlimited().money("5000", "USD", PRICES));
    assertThatThrownBy(() -> reserve(own, open)).hasMessageContaining("The budget of `ann`");
  }

  @Test
  void a_call_that_failed_counts_the_prompt_that_was_sent() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var ledger = Ledger.of("a", Budget.unlimited().totalTokens(1_000_000));
    ledger.fail(reserve(ledger, ASK), failure(ModelException.Kind.OVERLOADED));
    assertThat(ledger.spent().usage()).isEqualTo(new Usage(prompt, 0, 0, 0, 0, true));
  }

  @Test
  void a_call_that_timed_out_counts_the_whole_answer_that_it_might_have_had() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    for (var kind : List.of(ModelException.Kind.TIMEOUT, ModelException.Kind.TRANSPORT)) {
      var ledger = Ledger.of("a", Budget.unlimited().money("1000000", "USD", PRICES));
      ledger.fail(reserve(ledger, ASK), failure(kind));
      assertThat(ledger.spent().usage().total()).isEqualTo(prompt + 10);
      assertThat(ledger.spent().cost()).isEqualByComparingTo("" + (2 * prompt + 10));
    }
  }

  @Test
  void a_call_that_was_never_sent_counts_no_tokens() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().totalTokens(1_000_000));
    ledger.fail(reserve(ledger, ASK), failure(ModelException.Kind.UNAVAILABLE));
    assertThat(ledger.spent().calls()).isEqualTo(1);
    assertThat(ledger.spent().usage().total()).isZero();
  }

  @Test
  void reported_usage_never_lowers_the_spending() throws Exception {
    long least = Long.MIN_VALUE;
    long most = Long.MAX_VALUE;
    var lies =
        List.of(
            new Usage(-1_000, 0, -1_000, 0),
            new Usage(least, least, least, least, least, false),
            new Usage(most, most, most, most, most, false),
            new Usage(most, 0, 1, 0),
            new Usage(100, most, 0, 5, most, false),
            new Usage(100, -50, -50, 5, -5, false),
            new Usage(0, 0, most, most));
    var ledger = Ledger.of("a", Budget.unlimited().calls(1_000).money("1e30", "USD", PRICES));
    for (int round = 0; round < 3; round++) {
      for (var lie : lies) {
        var before = ledger.spent();
        var took = ledger.settle(reserve(ledger, ASK), reply(MODEL, lie)).took();
        var usage = took.usage();
        assertThat(usage.estimated()).as("%s", lie).isTrue();
        assertThat(usage.input()).as("%s", lie).isBetween(100L, 1_000_000L);
        assertThat(usage.output()).as("%s", lie).isBetween(1L, 1_000_000L);
        assertThat(usage.cachedInput() + usage.cacheWrite()).isBetween(0L, usage.input());
        assertThat(usage.reasoning()).isBetween(0L, usage.output());
        assertThat(took.cost()).isPositive();
        assertThat(ledger.spent()).isEqualTo(before.plus(took));
      }
    }
  }

  @Test
  void unreported_usage_is_estimated_on_the_high_side() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var ledger = Ledger.of("a", Budget.unlimited().totalTokens(1_000_000));
    var usage = ledger.settle(reserve(ledger, ASK), reply(MODEL, Usage.NONE)).took().usage();
    assertThat(usage.input()).isEqualTo(prompt);
    assertThat(usage.output()).isEqualTo(10);
    assertThat(usage.estimated()).isTrue();
  }

  @Test
  void usage_beyond_the_window_of_a_model_is_not_believed() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().totalTokens(1_000_000));
    var profile = ModelProfile.UNKNOWN.within(8_000, 2_000);
    var call = ledger.reserve(MODEL, profile, ASK, TokenCounter.approximate());
    var usage = ledger.settle(call, reply(MODEL, new Usage(70_000, 0, 9_000, 0))).took().usage();
    assertThat(usage).isEqualTo(new Usage(8_000, 8_000, 0, 2_000, 2_000, true));
  }

  /// What a thread of its own returns. It hangs on a lock that another thread has kept.
  private static <T> T elsewhere(Callable<T> work) throws Exception {
    var task = new FutureTask<>(work);
    Thread.startVirtualThread(task);
    return task.get(20, TimeUnit.SECONDS);
  }

  @Test
  void a_call_waits_for_pending_calls_that_may_use_less_than_they_reserved() throws Exception {
    long prompt = TokenCounter.approximate().count(ASK);
    var ledger = Ledger.of("a", Budget.unlimited().inputTokens(prompt + prompt / 2));
    var first = reserve(ledger, ASK);
    var second = new FutureTask<>(() -> reserve(ledger, ASK));
    var waiting = Thread.ofPlatform().daemon().start(second);
    while (waiting.getState() != Thread.State.WAITING) {
      assertThat(second.isDone()).isFalse();
      Thread.onSpinWait();
    }
    ledger.settle(first, reply(MODEL, new Usage(10, 0, 5, 0)));
    assertThat(second.get(20, TimeUnit.SECONDS).most().usage().input()).isEqualTo(prompt);
  }

  @Test
  void a_call_that_waits_can_be_interrupted() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(1));
    reserve(ledger, ASK);
    var second = new FutureTask<>(() -> reserve(ledger, ASK));
    Thread.ofPlatform().daemon().start(second).interrupt();
    assertThatThrownBy(() -> second.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
  }

  @Test
  void reading_a_ledger_or_lowering_a_limit_does_not_block_others() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(9).totalTokens(9_000));
    List<Callable<?>> uses =
        List.of(
            ledger::spent,
            () -> ledger.within("b", Budget.unlimited(), "run"),
            () -> reserve(ledger, ASK),
            () -> ledger.settle(reserve(ledger, ASK), reply(MODEL, new Usage(1, 0, 1, 0))),
            () -> {
              ledger.atLeast(Spend.NONE);
              ledger.atLeast(new Spend(3, Usage.NONE, BigDecimal.ZERO));
              return ledger;
            },
            () -> {
              ledger.atLeastOfKnown(Spend.NONE);
              return ledger;
            },
            () -> {
              ledger.atMostCalls(8);
              ledger.atMostCalls(99);
              return ledger;
            });
    for (var use : uses) {
      elsewhere(use);
      assertThat(elsewhere(ledger::spent).calls()).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void a_limit_is_lowered_and_never_raised() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(5).totalTokens(5_000));
    ledger.atMostCalls(6);
    ledger.atMostTokens(6_000);
    var open = ChatRequest.of(Message.user("x"));
    long prompt = TokenCounter.approximate().count(open);
    var call = reserve(ledger, open);
    assertThat(call.request().maxTokens()).hasValue((int) (5_000 - prompt));
    ledger.fail(call, failure(ModelException.Kind.UNAVAILABLE));
    ledger.atMostTokens(100);
    call = reserve(ledger, open);
    assertThat(call.request().maxTokens()).hasValue((int) (100 - prompt));
    ledger.fail(call, failure(ModelException.Kind.UNAVAILABLE));
    ledger.atMostCalls(2);
    assertThatThrownBy(() -> reserve(ledger, open))
        .isInstanceOfSatisfying(
            BudgetExceeded.class,
            error -> {
              assertThat(error.limit()).isEqualTo(Budget.Limit.CALLS);
              assertThat(error.who()).isEqualTo("a");
              assertThat(error.used()).isEqualByComparingTo("2");
              assertThat(error.most()).isEqualByComparingTo("2");
            });
    var free = Ledger.of("b", Budget.unlimited());
    free.atMostCalls(0);
    assertThatThrownBy(() -> reserve(free, open)).isInstanceOf(BudgetExceeded.class);
  }

  @Test
  void each_warning_is_published_once_including_those_of_outer_ledgers() throws Exception {
    var parent = Ledger.of("a", Budget.unlimited().calls(5));
    var inside = parent.within("b", Budget.unlimited().calls(10).totalTokens(1_000_000));
    var told = new ArrayList<List<Budget.Limit>>();
    for (int i = 0; i < 5; i++) {
      told.add(inside.settle(reserve(inside, ASK), reply(MODEL, new Usage(5, 0, 5, 0))).warnings());
    }
    assertThat(told)
        .containsExactly(List.of(), List.of(), List.of(), List.of(Budget.Limit.CALLS), List.of());
    assertThatThrownBy(() -> reserve(inside, ASK)).hasMessageContaining("The budget of `a`");
  }

  @Test
  void a_cached_reply_costs_nothing() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().calls(1).money("5000", "USD", PRICES));
    var cached = reply(MODEL, new Usage(900, 0, 10, 0)).withSource(ChatReply.Source.CACHED);
    assertThat(ledger.spendOf(cached)).isEqualTo(Spend.NONE);
    assertThat(ledger.settle(reserve(ledger, ASK), cached).took()).isEqualTo(Spend.NONE);
    assertThat(ledger.spent()).isEqualTo(Spend.NONE);
    reserve(ledger, ASK);
  }

  @Test
  void a_reply_without_usage_counts_the_highest_possible_usage() {
    var ledger = Ledger.of("a", Budget.unlimited().money("5000", "USD", PRICES));
    assertThat(ledger.spendOf(reply(MODEL, new Usage(900, 100, 50, 10, 5, false))))
        .isEqualTo(new Spend(1, new Usage(900, 100, 50, 10, 5, false), BigDecimal.valueOf(960)));
    assertThat(ledger.spendOf(reply(MODEL, new Usage(10, 99, -5, -1, 7, true))).usage())
        .isEqualTo(new Usage(10, 10, 0, 0, 0, true));
  }

  @Test
  void reported_usage_has_its_exact_cost_and_estimated_usage_the_highest_possible()
      throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().money("50000", "USD", PRICES));
    var told = ledger.settle(reserve(ledger, ASK), reply(MODEL, new Usage(900, 0, 5, 0)));
    assertThat(told.took().cost()).isEqualByComparingTo("905");
    var beyond = ledger.settle(reserve(ledger, ASK), reply(MODEL, new Usage(900, 901, 5, 0)));
    assertThat(beyond.took().cost()).isEqualByComparingTo("1805");
  }

  @Test
  void a_model_without_a_price_is_named_and_nothing_is_reserved() throws Exception {
    var money = Budget.unlimited().money("5000", "USD", Prices.unknown());
    var ledger = Ledger.of("a", money);
    assertThatThrownBy(() -> reserve(ledger, ASK))
        .isInstanceOfSatisfying(
            UnpricedModel.class, error -> assertThat(error.model()).isEqualTo(MODEL.url()));
    var free = Ledger.of("a", money.unpricedIsFree());
    assertThat(reserve(free, ASK).most().cost()).isZero();
  }

  @Test
  void a_failed_call_whose_price_is_no_longer_known_costs_its_reservation() throws Exception {
    var known = new AtomicBoolean(true);
    Prices prices = (model, usage) -> known.get() ? PRICES.cost(model, usage) : Optional.empty();
    var ledger = Ledger.of("a", Budget.unlimited().money("50000", "USD", prices));
    var call = reserve(ledger, ASK);
    known.set(false);
    var took = ledger.fail(call, failure(ModelException.Kind.TIMEOUT)).took();
    assertThat(took.cost()).isPositive().isEqualByComparingTo(call.most().cost());
  }

  @Test
  void without_a_limit_nothing_is_reserved() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited()).within("b", Budget.unlimited());
    var call = reserve(ledger, ASK);
    assertThat(call.most()).isEqualTo(Spend.NONE);
    assertThat(call.request()).isSameAs(ASK);
    assertThat(Budget.unlimited().isUnlimited()).isTrue();
  }

  @Test
  void earlier_spending_counts_once_in_this_ledger_and_in_outer_ones() {
    var parent = Ledger.of("a", Budget.unlimited());
    var inside = parent.within("b", Budget.unlimited(), "run");
    assertThat(parent.within("b", Budget.unlimited(), "run")).isSameAs(inside);
    assertThat(parent.within("b", Budget.unlimited(), "other")).isNotSameAs(inside);
    var three = new Spend(3, new Usage(7, 0, 2, 0), new BigDecimal("1"));
    inside.atLeast(three);
    inside.atLeast(three);
    assertThat(inside.spent()).isEqualTo(three);
    assertThat(parent.spent()).isEqualTo(three);
    var five = new Spend(5, new Usage(7, 0, 2, 0), new BigDecimal("1"));
    inside.atLeastOfKnown(five);
    assertThat(inside.spent()).isEqualTo(five);
    assertThat(parent.spent()).isEqualTo(three);
  }

  @Test
  void an_answer_is_limited_to_what_pending_calls_leave() throws Exception {
    var ledger = Ledger.of("a", Budget.unlimited().outputTokens(100));
    reserve(ledger, ASK.withMaxTokens(60));
    var second = elsewhere(() -> reserve(ledger, ChatRequest.of(ASK.messages())));
    assertThat(second.request().maxTokens()).hasValue(40);
  }

  private static ModelException failure(ModelException.Kind kind) {
    return new ModelException(kind, "It failed.");
  }
}
