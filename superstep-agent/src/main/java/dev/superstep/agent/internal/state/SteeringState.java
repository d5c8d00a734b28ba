package dev.superstep.agent.internal.state;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.agent.steering.SteeringCommand;
import dev.superstep.state.Channel;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The lasting effects of steering on an agent, saved with its thread. Immutable.
///
/// @param instructions in place of its own
/// @param onlyTools those that it may still use
/// @param model that it is to ask
/// @param calls the most calls of models
/// @param totalTokens the most tokens
/// @param waiting what it has to wait for
@JsonTypeName("Steered")
public record SteeringState(
    Optional<String> instructions,
    Optional<Set<String>> onlyTools,
    Optional<String> model,
    Optional<Long> calls,
    Optional<Long> totalTokens,
    List<SteeringCommand> waiting) {
  public static final SteeringState NOTHING =
      new SteeringState(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());
  public static final Channel<SteeringState, SteeringState> CHANNEL =
      Channel.latest("agent-steered", SteeringState.class);

  public SteeringState {
    waiting = List.copyOf(waiting);
  }

  public SteeringState instructed(String text) {
    return new SteeringState(Optional.of(text), onlyTools, model, calls, totalTokens, waiting);
  }

  /// Narrows the tools of the agent to these.
  ///
  /// @param names all of them tools that it may use
  public SteeringState only(Set<String> names) {
    var kept = new LinkedHashSet<>(names);
    onlyTools.ifPresent(kept::retainAll);
    return new SteeringState(instructions, Optional.of(kept), model, calls, totalTokens, waiting);
  }

  public SteeringState asking(String name) {
    return new SteeringState(
        instructions, onlyTools, Optional.of(name), calls, totalTokens, waiting);
  }

  public SteeringState spending(Optional<Long> most, Optional<Long> tokens) {
    return new SteeringState(
        instructions, onlyTools, model, lower(calls, most), lower(totalTokens, tokens), waiting);
  }

  private static Optional<Long> lower(Optional<Long> now, Optional<Long> other) {
    if (now.isEmpty() || other.isEmpty()) return now.or(() -> other);
    return Optional.of(Math.min(now.get(), other.get()));
  }

  public SteeringState waitingFor(SteeringCommand command) {
    var more = new ArrayList<>(waiting);
    more.add(command);
    return new SteeringState(instructions, onlyTools, model, calls, totalTokens, more);
  }

  public SteeringState resumed() {
    return new SteeringState(instructions, onlyTools, model, calls, totalTokens, List.of());
  }
}
