package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.budget.Budget.Limit;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The limits of a budget, one by one: where each begins, and what is left below it.
@Tag("T53")
final class BudgetTest {
  private static Budget with(Limit limit, long most) {
    var none = Budget.unlimited();
    return switch (limit) {
      case CALLS -> none.calls(most);
      case INPUT_TOKENS -> none.inputTokens(most);
      case CACHED_INPUT_TOKENS -> none.cachedInputTokens(most);
      case OUTPUT_TOKENS -> none.outputTokens(most);
      case REASONING_TOKENS -> none.reasoningTokens(most);
      case TOTAL_TOKENS -> none.totalTokens(most);
      case MONEY -> none.money("" + most, "USD", Prices.unknown());
    };
  }

  /// So much of that, and as little as possible of all else.
  private static Spend spend(Limit limit, long amount) {
    return switch (limit) {
      case CALLS -> new Spend(amount, Usage.NONE, BigDecimal.ZERO);
      case INPUT_TOKENS -> tokens(amount, 0, 0, 0);
      case CACHED_INPUT_TOKENS -> tokens(amount, amount, 0, 0);
      case OUTPUT_TOKENS -> tokens(0, 0, amount, 0);
      case REASONING_TOKENS -> tokens(0, 0, amount, amount);
      case TOTAL_TOKENS -> tokens(amount - 1, 0, 1, 0);
      case MONEY -> new Spend(0, Usage.NONE, BigDecimal.valueOf(amount));
    };
  }

  private static Spend tokens(long input, long cached, long output, long reasoning) {
    return new Spend(0, new Usage(input, cached, output, reasoning), BigDecimal.ZERO);
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void a_value_at_the_limit_is_allowed_and_one_above_is_not(Limit limit) {
    var budget = with(limit, 100);
    assertThat(budget.over(spend(limit, 100))).isEmpty();
    assertThat(budget.over(spend(limit, 101))).contains(limit);
    assertThat(Budget.unlimited().over(spend(limit, 101))).isEmpty();
    assertThat(budget.isUnlimited()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void a_warning_is_due_from_its_share_of_a_limit_on(Limit limit) {
    var budget = with(limit, 100);
    assertThat(budget.warned(spend(limit, 79))).isEmpty();
    assertThat(budget.warned(spend(limit, 80))).contains(limit);
    assertThat(budget.warned(spend(limit, 81))).contains(limit);
    assertThat(budget.warnAt(0.9).warned(spend(limit, 89))).isEmpty();
    assertThat(budget.warnAt(0.9).warned(spend(limit, 90))).contains(limit);
  }

  @Test
  void a_warning_share_is_above_0_and_at_most_1() {
    var budget = Budget.unlimited().calls(10);
    assertThat(budget.warnAt(1).warned(spend(Limit.CALLS, 9))).isEmpty();
    assertThat(budget.warnAt(1).warned(spend(Limit.CALLS, 10))).contains(Limit.CALLS);
    for (double share : new double[] {0, -0.5, 1.01, Double.NaN}) {
      assertThatIllegalArgumentException().isThrownBy(() -> budget.warnAt(share));
    }
  }

  @Test
  void a_limit_may_be_zero_but_not_negative() {
    for (var limit : Limit.values()) {
      LongFunction<Budget> made = most -> with(limit, most);
      assertThatCode(() -> made.apply(0)).as("%s", limit).doesNotThrowAnyException();
      assertThatIllegalArgumentException()
          .as("%s", limit)
          .isThrownBy(() -> made.apply(-1))
          .withMessageContaining("must not be negative");
    }
    assertThat(Budget.unlimited().calls(0).over(spend(Limit.CALLS, 1))).contains(Limit.CALLS);
  }

  @Test
  void an_answer_may_use_the_smallest_rest_of_all_limits() {
    var spent = tokens(30, 0, 20, 15);
    assertThat(Budget.unlimited().outputLeft(spent, 10)).isEqualTo(Long.MAX_VALUE);
    assertThat(with(Limit.OUTPUT_TOKENS, 100).outputLeft(spent, 10)).isEqualTo(80);
    assertThat(with(Limit.REASONING_TOKENS, 100).outputLeft(spent, 10)).isEqualTo(85);
    assertThat(with(Limit.TOTAL_TOKENS, 100).outputLeft(spent, 10)).isEqualTo(40);
    var all = with(Limit.TOTAL_TOKENS, 100).outputTokens(50).reasoningTokens(40);
    assertThat(all.outputLeft(spent, 10)).isEqualTo(25);
    assertThat(with(Limit.TOTAL_TOKENS, 10).outputLeft(spent, 10)).isZero();
  }

  @ParameterizedTest
  @EnumSource(Limit.class)
  void an_answer_is_limited_to_the_rest_of_the_output_budget_and_of_the_money(Limit limit) {
    var holding =
        List.of(Limit.OUTPUT_TOKENS, Limit.REASONING_TOKENS, Limit.TOTAL_TOKENS, Limit.MONEY);
    assertThat(with(limit, 100).holdsOutput()).isEqualTo(holding.contains(limit));
    assertThat(with(limit, 100).hasMoney()).isEqualTo(limit == Limit.MONEY);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_model_without_a_price_is_refused_unless_it_is_free(boolean isFree) {
    var budget = Budget.unlimited().money("1", "USD", Prices.unknown());
    assertThat((isFree ? budget.unpricedIsFree() : budget).unpricedFails()).isEqualTo(!isFree);
    assertThat(budget.currency()).isEqualTo("USD");
    var none = Prices.unknown().cost(new ModelRef("scripted", "x"), new Usage(1, 0, 1, 0));
    assertThat(none).isEmpty();
  }

  @Test
  void a_sum_without_a_part_is_the_rest() {
    var sum = new Spend(9, new Usage(100, 40, 20, 50, 30, false), new BigDecimal("5"));
    var part = new Spend(2, new Usage(10, 4, 3, 7, 5, false), new BigDecimal("1.5"));
    var rest = new Spend(7, new Usage(90, 36, 17, 43, 25, false), new BigDecimal("3.5"));
    assertThat(sum.minus(part)).isEqualTo(rest);
    assertThat(rest.plus(part)).isEqualTo(new Spend(9, sum.usage(), new BigDecimal("5.0")));
  }

  @Test
  void the_excess_is_counted_for_each_limit_separately() {
    var one = new Spend(3, new Usage(100, 4, 20, 7, 30, true), new BigDecimal("5"));
    var other = new Spend(2, new Usage(10, 40, 3, 50, 5, false), new BigDecimal("7"));
    assertThat(one.beyond(other))
        .isEqualTo(new Spend(1, new Usage(90, 0, 17, 0, 25, false), BigDecimal.ZERO));
    assertThat(other.beyond(one))
        .isEqualTo(new Spend(0, new Usage(0, 36, 0, 43, 0, false), new BigDecimal("2")));
  }
}
