package dev.superstep.terminal;

import dev.superstep.budget.BudgetExceeded;
import dev.superstep.json.SuperstepException;
import dev.superstep.model.ModelException;
import java.util.Locale;

/// A model gave no usable plan or command. Becomes the status Error, with this code.
final class GenerationFailed extends SuperstepException {
  private final Kind kind;

  /// The kinds of failures; the name in lower case is part of the code.
  enum Kind {
    /// No answer within the time given.
    TIMEOUT,
    /// The answer does not have the form, also after a request to repair it.
    INVALID_JSON,
    /// The model could not be asked, or refused.
    MODEL_ERROR,
    /// The request is longer than the model can read.
    CONTEXT_ERROR,
    /// The budget does not allow another request.
    BUDGET
  }

  /// @param stage `plan` or `command`
  GenerationFailed(String stage, Kind kind, String message) {
    super(
        "terminal.%s.%s".formatted(stage, kind.name().toLowerCase(Locale.ROOT).replace('_', '-')),
        message);
    this.kind = kind;
  }

  static GenerationFailed of(String stage, ModelException e) {
    var kind =
        switch (e.kind()) {
          case TIMEOUT -> Kind.TIMEOUT;
          case MALFORMED, TOO_LARGE -> Kind.INVALID_JSON;
          case CONTEXT_LENGTH -> Kind.CONTEXT_ERROR;
          case BAD_URL,
              UNAVAILABLE,
              AUTH,
              QUOTA,
              RATE_LIMITED,
              OVERLOADED,
              BAD_REQUEST,
              REFUSED,
              TRANSPORT ->
              Kind.MODEL_ERROR;
        };
    return new GenerationFailed(stage, kind, String.valueOf(e.getMessage()));
  }

  static GenerationFailed of(String stage, BudgetExceeded e) {
    return new GenerationFailed(stage, Kind.BUDGET, String.valueOf(e.getMessage()));
  }

  Kind kind() {
    return kind;
  }
}
