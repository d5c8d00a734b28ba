package dev.superstep.acp;

import dev.superstep.agent.run.LimitReached;
import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.StepLimitReached;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ModelException;
import java.util.Optional;

/// The reasons for which a turn ends, in the words of the protocol.
final class StopReasons {
  static final String END_TURN = "end_turn";
  static final String CANCELLED = "cancelled";
  static final String MAX_TOKENS = "max_tokens";
  static final String MAX_REQUESTS = "max_turn_requests";
  static final String REFUSAL = "refusal";

  private StopReasons() {}

  static String of(StopReason reason) {
    return switch (reason) {
      case ANSWERED, TOOL_ANSWERED, STOPPED, FAILED -> END_TURN;
      case CUT_OFF -> MAX_TOKENS;
      case FILTERED -> REFUSAL;
      case MODEL_CALL_LIMIT, TOOL_CALL_LIMIT, TIME_LIMIT, BUDGET_LIMIT, DEPTH_LIMIT -> MAX_REQUESTS;
      case CANCELLED -> CANCELLED;
    };
  }

  static String of(Budget.Limit limit) {
    return switch (limit) {
      case CALLS, MONEY -> MAX_REQUESTS;
      default -> MAX_TOKENS;
    };
  }

  /// The reason in an error, if a limit was met.
  static Optional<String> of(SuperstepException error) {
    return switch (error) {
      case LimitReached limit -> Optional.of(of(limit.reason()));
      case BudgetExceeded budget -> Optional.of(of(budget.limit()));
      case ModelException model when model.kind() == ModelException.Kind.REFUSED ->
          Optional.of(REFUSAL);
      case StepLimitReached _, VisitLimitReached _ -> Optional.of(MAX_REQUESTS);
      default -> Optional.empty();
    };
  }

  /// The error of ours that made a node fail.
  static SuperstepException cause(SuperstepException error) {
    var at = error;
    for (int i = 0; i < 100 && at instanceof NodeFailed; i++) {
      if (!(at.getCause() instanceof SuperstepException inner)) return at;
      at = inner;
    }
    return at;
  }
}
