package dev.superstep.rag.internal.run;

import dev.superstep.agent.Agent;
import dev.superstep.json.SuperstepException;
import dev.superstep.language.bounds.ComponentFacts;
import dev.superstep.language.bounds.Limits;
import dev.superstep.language.bounds.Measure;
import dev.superstep.model.ChatModel;
import dev.superstep.model.Usage;
import dev.superstep.registry.Kind;
import dev.superstep.registry.Registry;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/// The facts about the models and agents of a registry. Immutable.
public record RegistryFacts(Registry registry) implements ComponentFacts {
  @Override
  public Optional<Limits> agent(String name) {
    return found(Kind.AGENT, name).map(RegistryFacts::limits);
  }

  /// The limits of an agent. Where it calls others, theirs are their own.
  private static Limits limits(Agent<?> agent) {
    var limits = Limits.none().and(Measure.DEPTH, agent.depth());
    if (!agent.isAlone()) return limits;
    return limits
        .and(Measure.MODEL_CALLS, (long) agent.modelCalls() * agent.attempts())
        .and(Measure.TOOL_CALLS, agent.tools().isEmpty() ? 0 : agent.toolCalls());
  }

  @Override
  public OptionalLong tokens(String model) {
    return found(Kind.MODEL, model)
        .map(found -> found.profile().contextWindow())
        .orElse(OptionalLong.empty());
  }

  /// The price of a call that fills the window with what costs most, and says as much as it can.
  @Override
  public Optional<BigDecimal> cost(String name) {
    var model = found(Kind.MODEL, name);
    var window = tokens(name);
    if (model.isEmpty() || window.isEmpty()) return Optional.empty();
    long most = window.getAsLong();
    long output = Math.min(most, model.get().profile().maxOutput().orElse(most));
    var read = cost(model.get(), new Usage(most, 0, 0, 0, 0, false));
    var written = cost(model.get(), new Usage(most, 0, most, 0, 0, false));
    var said = cost(model.get(), new Usage(0, 0, 0, output, 0, false));
    if (read.isEmpty() || said.isEmpty()) return Optional.empty();
    return Optional.of(read.get().max(written.orElse(read.get())).add(said.get()));
  }

  private Optional<BigDecimal> cost(ChatModel model, Usage usage) {
    return LimitItems.prices(registry).cost(model.ref(), usage);
  }

  /// A component; none if it is not there, or a factory does not make it.
  private <T> Optional<T> found(Kind<T> kind, String name) {
    try {
      return registry.find(kind, name);
    } catch (SuperstepException | IllegalStateException _) {
      return Optional.empty();
    }
  }
}
