package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.error;
import static dev.superstep.middleware.Stage.flaky;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.model.Capability;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelProfile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FallbackTest {
  private final Stage stage = new Stage();

  private static Stage.Flaky broken(String url, Kind... kinds) {
    var errors = new RuntimeException[kinds.length];
    for (int i = 0; i < kinds.length; i++) errors[i] = error(kinds[i]);
    return flaky(url, Stage.saying("never"), errors);
  }

  private static ChatModel working(String url) {
    return flaky(url, Stage.saying("I am " + url, "I am " + url + " again"));
  }

  @Test
  @Tag("T41")
  void another_model_answers_when_the_first_is_down() throws Exception {
    var model = broken("openai://a", Kind.OVERLOADED);
    var result = stage.run(agent(model, Fallback.to(working("mistral://b")), Retrying.times(1)));
    assertThat(result.answer()).isEqualTo("I am mistral://b");
    assertThat(stage.heard(AgentEvent.FallbackSelected.class))
        .containsExactly(
            new AgentEvent.FallbackSelected(
                "test", "openai://a", "mistral://b", "model.overloaded", 2));
    // Both are told of as any call is, and count.
    assertThat(stage.heard(AgentEvent.ModelStarted.class))
        .extracting(AgentEvent.ModelStarted::model)
        .containsExactly("openai://a", "mistral://b");
    assertThat(result.report().spent().calls()).isEqualTo(2);
    assertThat(stage.text).hasToString("I am mistral://b|");
  }

  @Test
  @Tag("T41")
  void a_model_that_lacks_a_required_capability_is_skipped() throws Exception {
    var blind = flaky("mistral://b", Stage.saying("never")).known(ModelProfile.of());
    var seeing =
        flaky("gemini://c", Stage.saying("I see")).known(ModelProfile.of(Capability.VISION));
    var unknown = working("openai://d");
    var first = broken("openai://a", Kind.TIMEOUT).known(ModelProfile.of(Capability.VISION));
    var agent =
        agent(first, Fallback.to(blind, unknown, seeing), Retrying.times(1))
            .request(request -> request.withNeeds(Capability.VISION));
    assertThat(stage.run(agent).answer()).isEqualTo("I see");
    assertThat(stage.heard(AgentEvent.FallbackSkipped.class))
        .extracting(AgentEvent.FallbackSkipped::model)
        .containsExactly("mistral://b", "openai://d");
    assertThat(stage.heard(AgentEvent.FallbackSkipped.class).getFirst().why()).contains("VISION");
  }

  @Test
  void the_last_error_has_the_others_in_it() {
    var model = broken("openai://a", Kind.TIMEOUT);
    var agent =
        agent(
            model,
            Fallback.to(broken("openai://b", Kind.OVERLOADED), broken("openai://c", Kind.AUTH)),
            Retrying.times(1));
    assertThatThrownBy(() -> stage.run(agent))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.AUTH);
              assertThat(e.getSuppressed())
                  .extracting(s -> ((ModelException) s).kind())
                  .containsExactly(Kind.TIMEOUT, Kind.OVERLOADED);
            });
  }

  @Test
  void a_refusal_by_a_model_triggers_no_fallback_unless_set() throws Exception {
    var other = working("openai://b");
    assertThatThrownBy(
            () -> stage.run(agent(broken("openai://a", Kind.REFUSED), Fallback.to(other))))
        .isInstanceOf(ModelException.class);
    var wanted = Fallback.to(other).when(e -> e.kind() == Kind.REFUSED);
    assertThat(stage.run(agent(broken("openai://a", Kind.REFUSED), wanted)).answer())
        .isEqualTo("I am openai://b");
  }

  @Test
  void a_budget_is_that_of_all_models_together() {
    var agent =
        agent(broken("openai://a", Kind.TIMEOUT), Fallback.to(working("openai://b")))
            .budget(Budget.unlimited().calls(1));
    assertThatThrownBy(() -> stage.run(agent)).isInstanceOf(BudgetExceeded.class);
  }

  @Test
  @Tag("T43")
  void inner_middleware_runs_for_each_model() throws Exception {
    var model = broken("openai://a", Kind.TIMEOUT, Kind.TIMEOUT);
    var other = flaky("openai://b", Stage.saying("Hello"), error(Kind.TIMEOUT));
    assertThat(stage.run(agent(model, Fallback.to(other), Retrying.times(2))).answer())
        .isEqualTo("Hello");
    assertThat(stage.heard(AgentEvent.RetryScheduled.class))
        .extracting(AgentEvent.RetryScheduled::model)
        .containsExactly("openai://a", "openai://b");
  }

  @Test
  void whoever_is_further_outside_begins_with_the_first_model_again() throws Exception {
    var model = flaky("openai://a", Stage.saying("Hello"), error(Kind.TIMEOUT));
    var other = broken("openai://b", Kind.TIMEOUT);
    var result = stage.run(agent(model, Retrying.times(2), Fallback.to(other)));
    assertThat(result.answer()).isEqualTo("Hello");
    assertThat(stage.heard(AgentEvent.ModelStarted.class))
        .extracting(AgentEvent.ModelStarted::model)
        .containsExactly("openai://a", "openai://b", "openai://a");
  }

  @Test
  void a_fallback_needs_at_least_one_other_model() {
    assertThatThrownBy(Fallback::to).hasMessage("others must hold a model");
  }
}
