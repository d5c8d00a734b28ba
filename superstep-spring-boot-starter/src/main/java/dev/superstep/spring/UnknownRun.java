package dev.superstep.spring;

import dev.superstep.json.SuperstepException;
import java.util.Collection;

/// The name of a graph or agent, or a thread, that the application does not have.
public final class UnknownRun extends SuperstepException {
  private static final long serialVersionUID = 1;

  private UnknownRun(String message) {
    super("spring.unknown-run", message);
  }

  static UnknownRun name(String name, Collection<String> known) {
    return new UnknownRun(
        "There is no bean for a graph or agent `%s`. Declare one with @Bean; there are: %s."
            .formatted(name, known));
  }

  static UnknownRun thread(String thread) {
    return new UnknownRun(
        "Nothing is saved of the thread `%s`, so it cannot be resumed. Start a run on it first."
            .formatted(thread));
  }
}
