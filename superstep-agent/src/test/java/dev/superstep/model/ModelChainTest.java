package dev.superstep.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ModelChain.Candidate;
import dev.superstep.model.ModelChain.Status;
import dev.superstep.model.ModelResolver.Wish;
import dev.superstep.model.ResolvedModel.Source;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("T14")
class ModelChainTest {
  private static final ModelProfile BLIND = ModelProfile.of(Capability.TOOLS);
  private static final ModelProfile SEEING = ModelProfile.of(Capability.TOOLS, Capability.VISION);

  private final ScriptedModel a = ScriptedModel.by(_ -> ScriptedModel.text("a"));
  private final ScriptedModel b = ScriptedModel.by(_ -> ScriptedModel.text("b"));
  private final ScriptedModel c = ScriptedModel.by(_ -> ScriptedModel.text("c"));

  @Test
  void the_first_source_in_the_documented_order_wins() {
    var chain =
        ModelChain.of(known("a", a), known("b", b), known("c", c), known("d", c), known("e", c));
    var all = chain.withAgentModel("c").withRegistryModel("d");
    var before = new ResolvedModel("e", c.ref(), Source.AGENT, List.of());
    var hints = List.of("b", "c");
    check(all, new Wish(Optional.of("a"), hints, Optional.of(before), Set.of()), "a", "OVERRIDE");
    var wish = new Wish(Optional.empty(), hints, Optional.of(before), Set.of());
    check(all.withReuse(), wish, "e", "REUSE");
    check(all, wish, "b", "HINT");
    check(all, Wish.NONE, "c", "AGENT");
    check(chain.withRegistryModel("d"), Wish.NONE, "d", "REGISTRY");
    check(chain, Wish.NONE, "a", "FALLBACK");
  }

  private static void check(ModelChain chain, Wish wish, String name, String source) {
    var how = chain.resolve(wish).how();
    assertThat(how.name()).isEqualTo(name);
    assertThat(how.source()).isEqualTo(Source.valueOf(source));
    assertThat(how.passedOver()).isEmpty();
  }

  @Test
  @Tag("T17")
  void a_retired_model_is_passed_over_on_every_path_unless_that_is_allowed() {
    var old = known("old", a).withStatus(Status.RETIRED);
    var chain = ModelChain.of(old, known("new", b));
    var before = new ResolvedModel("old", a.ref(), Source.AGENT, List.of());
    var wishes =
        List.of(
            new Wish(Optional.of("old"), List.of(), Optional.empty(), Set.of()),
            new Wish(Optional.empty(), List.of("old"), Optional.empty(), Set.of()),
            new Wish(Optional.empty(), List.of(), Optional.of(before), Set.of()));
    for (var wish : wishes) {
      for (var one : List.of(chain.withAgentModel("old"), chain.withRegistryModel("old"), chain)) {
        var how = one.withReuse().resolve(wish).how();
        assertThat(how.name()).isEqualTo("new");
        assertThat(how.passedOver()).containsExactly("old: it is retired");
        assertThat(one.withReuse().withRetired().resolve(wish).how().name()).isEqualTo("old");
      }
    }
  }

  @Test
  @Tag("T17")
  void a_deprecated_model_is_chosen_and_flagged() {
    var chain = ModelChain.of(known("a", a).withStatus(Status.DEPRECATED));
    assertThat(chain.resolve(Wish.NONE).how().passedOver())
        .containsExactly("a: taken, but deprecated");
  }

  @Test
  @Tag("T16")
  void an_unknown_model_is_chosen_only_without_requirements() {
    var chain = ModelChain.of(Candidate.of("unknown", a), known("b", b).withProfile(SEEING));
    assertThat(chain.resolve(Wish.NONE).how().name()).isEqualTo("unknown");
    var wish = new Wish(Optional.empty(), List.of(), Optional.empty(), Set.of(Capability.VISION));
    var how = chain.resolve(wish).how();
    assertThat(how.name()).isEqualTo("b");
    assertThat(how.passedOver()).containsExactly("unknown: it is not known to have [VISION]");
  }

  @Test
  @Tag("T16")
  void a_rule_of_the_program_counts_too() {
    var chain =
        ModelChain.of(known("a", a), known("b", b))
            .withRule((one, _) ->
                one.name().equals("a") ? Optional.of("it costs too much") : Optional.empty());
    var how = chain.resolve(Wish.NONE).how();
    assertThat(how.name()).isEqualTo("b");
    assertThat(how.passedOver()).containsExactly("a: it costs too much");
  }

  @Test
  void a_chain_that_names_an_unknown_model_is_refused() {
    var chain = ModelChain.of(known("a", a));
    assertThatThrownBy(() -> chain.withAgentModel("z"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no model `z`; there are: a");
    assertThatThrownBy(() -> ModelChain.of(known("a", a), known("a", b)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /// Wants what is set.
  private record Wishing(Wish wish) implements Middleware {
    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      context.wish(wish);
      return request;
    }
  }

  @Test
  @Tag("T15")
  @Tag("T41")
  void a_chain_falls_back_to_a_capable_model_and_explains_why() throws Exception {
    var chain =
        ModelChain.of(
                known("blind", a).withProfile(BLIND),
                known("old", b).withProfile(SEEING).withStatus(Status.RETIRED),
                known("seeing", c).withProfile(SEEING))
            .withAgentModel("blind");
    var needs = Set.of(Capability.VISION);
    var wish = new Wish(Optional.of("gone"), List.of("old"), Optional.empty(), needs);
    var events = new ArrayList<AgentEvent>();
    var store = new InMemoryCheckpointer();
    var agent = Agent.named("test").models(chain).middleware(new Wishing(wish)).build();
    var options =
        RunOptions.thread("t").checkpoints(store).listener(AgentEvent.listener(events::add));
    var result = agent.run("What is this?", options);
    assertThat(result.answer()).isEqualTo("c");
    var passedOver =
        List.of("gone: there is no such model", "old: it is retired", "blind: it lacks [VISION]");
    var expected = new ResolvedModel("seeing", c.ref(), Source.FALLBACK, passedOver);
    assertThat(result.report().model()).contains(expected);
    assertThat(events)
        .contains(new AgentEvent.ModelChosen("test", expected))
        .contains(
            new AgentEvent.OverrideSkipped(
                "test", "gone", "seeing", String.join("; ", passedOver)));
    // It is in the checkpoint, too: another process sees it.
    var kept = agent.graph().state(options).orElseThrow();
    var restored = agent.result(new Outcome.Completed(kept.state()));
    assertThat(restored.report().model()).contains(expected);
    assertThat(a.calls() + b.calls()).isZero();
  }

  @Test
  @Tag("T16")
  void no_model_is_asked_if_none_fits() {
    var chain =
        ModelChain.of(
            known("blind", a).withProfile(BLIND),
            known("old", b).withProfile(SEEING).withStatus(Status.RETIRED));
    var wish = new Wish(Optional.empty(), List.of(), Optional.empty(), Set.of(Capability.VISION));
    var agent = Agent.named("test").models(chain).middleware(new Wishing(wish)).build();
    assertThatThrownBy(() -> agent.run("What is this?"))
        .isInstanceOfSatisfying(
            ModelException.class,
            e -> assertThat(e.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE))
        .hasMessageContaining("blind: it lacks [VISION]; old: it is retired");
    assertThat(a.calls() + b.calls()).isZero();
  }

  private static Candidate known(String name, ScriptedModel model) {
    return Candidate.of(name, model).withProfile(BLIND);
  }

  @Test
  @Tag("T41")
  void a_fallback_is_published_once_with_the_models_that_were_skipped()
      throws InterruptedException {
    var chain =
        ModelChain.of(
            known("a", a).withStatus(Status.RETIRED),
            known("b", b).withProfile(ModelProfile.UNKNOWN),
            known("c", c).withProfile(SEEING).withStatus(Status.DEPRECATED));
    var picky =
        new Middleware() {
          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            context.wish(
                new Wish(Optional.empty(), List.of(), Optional.empty(), Set.of(Capability.VISION)));
            return request;
          }
        };
    var told = new ArrayList<AgentEvent>();
    var options = RunOptions.defaults().listener(AgentEvent.listener(told::add));
    Agent.named("eyes").models(chain).middleware(picky).build().run("Look.", options);
    assertThat(told)
        .filteredOn(e ->
            e instanceof AgentEvent.FallbackSelected || e instanceof AgentEvent.FallbackSkipped)
        .containsExactly(
            new AgentEvent.FallbackSkipped("eyes", "a", "it is retired"),
            new AgentEvent.FallbackSkipped("eyes", "b", "it is not known to have [VISION]"),
            new AgentEvent.FallbackSelected("eyes", "a", "c", "model.passed-over", 3));
    told.clear();
    Agent.named("eyes").models(ModelChain.of(known("c", c))).build().run("Look.", options);
    assertThat(told).noneMatch(AgentEvent.FallbackSelected.class::isInstance);
  }
}
