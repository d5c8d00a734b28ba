package dev.superstep.eval.internal;

import dev.superstep.agent.run.LimitReached;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.error.ItemTimedOut;
import dev.superstep.error.NodeTimedOut;
import dev.superstep.eval.check.Observation;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ModelException;
import java.util.List;
import java.util.Optional;

/// Makes observations of the ways in which runs end.
public final class Observations {
  private static final int CAUSES_MAX = 20;
  private static final int REASON_MAX = 2_000;

  private Observations() {}

  static Observation ended(Ending ending, Json output, String reason, RunRecord seen) {
    return new Observation(
        ending, output, seen.tools(), List.of(), "", reason, seen.spent(), seen.took());
  }

  /// The observation of a run that threw.
  public static Observation failed(Throwable error, RunRecord seen) {
    var cause = innermost(error);
    var ending =
        switch (cause) {
          case LimitReached _, BudgetExceeded _ -> Ending.LIMIT;
          case NodeTimedOut _, ItemTimedOut _ -> Ending.TIMED_OUT;
          default -> Ending.FAILED;
        };
    var code = cause instanceof SuperstepException ours ? ours.code() : cause.getClass().getName();
    var message = String.valueOf(cause.getMessage());
    return new Observation(
        ending,
        Json.ofNull(),
        seen.tools(),
        List.of(),
        code,
        message.length() > REASON_MAX ? message.substring(0, REASON_MAX) + "…" : message,
        seen.spent(),
        seen.took());
  }

  /// The cause of this type, or empty.
  public static <T extends Throwable> Optional<T> cause(Throwable error, Class<T> type) {
    var at = error;
    for (int i = 0; i < CAUSES_MAX && at != null; i++) {
      if (type.isInstance(at)) return Optional.of(type.cast(at));
      at = at.getCause();
    }
    return Optional.empty();
  }

  private static Throwable innermost(Throwable error) {
    var at = error;
    for (int i = 0; i < CAUSES_MAX && at.getCause() != null; i++) at = at.getCause();
    // Vendors' adapters wrap errors of the network, whose own texts say little.
    return cause(error, ModelException.class).map(Throwable.class::cast).orElse(at);
  }
}
