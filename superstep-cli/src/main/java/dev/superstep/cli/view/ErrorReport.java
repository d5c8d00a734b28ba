package dev.superstep.cli.view;

import dev.superstep.agent.run.LimitReached;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.cli.host.ApprovalNeeded;
import dev.superstep.cli.host.CompileFailed;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.InvalidText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.InvalidGraph;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.eval.EvaluationChanged;
import dev.superstep.eval.NothingRecorded;
import dev.superstep.eval.UnknownEvaluation;
import dev.superstep.eval.dataset.MalformedDataset;
import dev.superstep.json.SuperstepException;
import dev.superstep.mcp.config.InvalidMcpEntry;
import dev.superstep.middleware.ContentBlocked;
import dev.superstep.model.ModelException;
import dev.superstep.model.local.PullFailed;
import dev.superstep.program.UnusableInput;
import dev.superstep.rag.error.MayPassBudget;
import dev.superstep.rag.error.ReviewRequired;
import dev.superstep.terminal.policy.InvalidRules;
import dev.superstep.terminal.privacy.ConsentRefused;
import dev.superstep.tool.ToolError;
import java.nio.file.FileSystemException;

/// An error as the command reports it.
///
/// @param message one line, unless the error is a list
public record ErrorReport(int exit, String code, String message) {
  static ErrorReport of(Throwable error) {
    return switch (error) {
      case InvalidGraph e -> new ErrorReport(ExitCodes.USAGE, e.code(), SafeText.of(text(e)));
      case ConsentRefused e ->
          new ErrorReport(ExitCodes.INTERRUPTED, e.code(), SafeText.line(text(e)));
      case ApprovalNeeded e ->
          new ErrorReport(ExitCodes.INTERRUPTED, e.code(), SafeText.line(text(e)));
      case InvalidRules e -> new ErrorReport(ExitCodes.USAGE, e.code(), SafeText.of(text(e)));
      case MalformedDataset e -> new ErrorReport(ExitCodes.USAGE, e.code(), SafeText.of(text(e)));
      case InvalidText e -> new ErrorReport(ExitCodes.USAGE, e.code(), SafeText.of(text(e)));
      case CompileFailed e -> new ErrorReport(ExitCodes.USAGE, e.code(), SafeText.of(text(e)));
      case PullFailed e -> new ErrorReport(ExitCodes.FAILED, e.code(), SafeText.of(text(e)));
      case NodeFailed e -> new ErrorReport(exit(e), e.code(), SafeText.line(nodeMessage(e)));
      case SuperstepException e ->
          new ErrorReport(isUsage(e) ? ExitCodes.USAGE : exit(e), e.code(), SafeText.line(text(e)));
      default ->
          new ErrorReport(
              ExitCodes.FAILED,
              "unexpected",
              SafeText.line(reason(error)) + " (run with --debug for the stack trace)");
    };
  }

  /// The exit code of what failed, by the first of its causes that is of a known kind.
  private static int exit(Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      var exit =
          switch (at) {
            case BudgetExceeded _, LimitReached _, MayPassBudget _ -> ExitCodes.BUDGET;
            case ToolError.ForbiddenCommand _, ToolError.PathEscape _ -> ExitCodes.DENIED;
            case ReviewRequired _, ContentBlocked _ -> ExitCodes.DENIED;
            case ModelException _ -> ExitCodes.PROVIDER;
            default -> ExitCodes.FAILED;
          };
      if (exit != ExitCodes.FAILED) return exit;
    }
    return ExitCodes.FAILED;
  }

  private static boolean isUsage(SuperstepException error) {
    return switch (error) {
      case UsageError _, UnusableInput _, AnswerRejected _, InvalidMcpEntry _ -> true;
      case EvaluationChanged _, UnknownEvaluation _, NothingRecorded _ -> true;
      case ThreadError e -> e.reason() != ThreadError.Reason.MOVED_ON;
      // Outside a node, a model is only opened, so these two are about what the user wrote.
      case ModelException e ->
          e.kind() == ModelException.Kind.BAD_URL || e.kind() == ModelException.Kind.AUTH;
      default -> false;
    };
  }

  private static String nodeMessage(NodeFailed failed) {
    var root = root(failed);
    int more = failed.getSuppressed().length;
    return "Node `"
        + failed.node()
        + "` failed in step "
        + failed.step()
        + ": "
        + (root instanceof SuperstepException e ? e.code() + ": " : "")
        + reason(root)
        + (more == 0 ? "" : " (" + more + " more of this step failed, too)");
  }

  /// The outermost of our own errors, since its message says everything, or else the innermost.
  private static Throwable root(NodeFailed failed) {
    Throwable innermost = failed;
    for (var cause = failed.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SuperstepException && !(cause instanceof NodeFailed)) return cause;
      innermost = cause;
    }
    return innermost;
  }

  private static String reason(Throwable error) {
    if (error instanceof SuperstepException) return text(error);
    if (error instanceof FileSystemException e && e.getReason() != null) return text(e);
    var name = error.getClass().getSimpleName();
    return error.getMessage() == null ? name : name + ": " + error.getMessage();
  }

  private static String text(Throwable error) {
    return String.valueOf(error.getMessage());
  }
}
