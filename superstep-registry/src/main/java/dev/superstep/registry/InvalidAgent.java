package dev.superstep.registry;

import dev.superstep.json.SuperstepException;
import java.util.List;
import java.util.Optional;

/// An agent cannot be made of its definition, or only another one than was meant.
public final class InvalidAgent extends SuperstepException {
  private final List<Problem> problems;

  /// Something that is wrong with a definition.
  ///
  /// @param part where it is: `model`, `tools`, `limits.depth` and so on
  /// @param nearest the component that was probably meant, if a name is wrong
  /// @param message what is wrong, and what to do
  public record Problem(String part, Optional<ComponentId> nearest, String message) {}

  InvalidAgent(String agent, List<Problem> problems) {
    super(
        "registry.invalid-agent",
        "Agent `%s` cannot be made:\n- %s"
            .formatted(
                agent,
                String.join(
                    "\n- ", problems.stream().map(p -> p.part() + ": " + p.message()).toList())));
    this.problems = List.copyOf(problems);
  }

  /// All that is wrong.
  public List<Problem> problems() {
    return problems;
  }
}
