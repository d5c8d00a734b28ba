package dev.superstep.rag.internal.run;

import dev.superstep.error.NodeFailed;
import dev.superstep.error.RouterFailed;
import dev.superstep.error.StepFailed;
import dev.superstep.error.UnknownTarget;
import dev.superstep.json.SuperstepException;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.rag.error.RagRunFailed;
import java.util.Optional;

/// Says of an error of a run where in the text it belongs, without a name of Java. Immutable.
///
/// @param source the text, if the graph was made of one here
public record RunErrors(Blueprint blueprint, Optional<Source> source) {
  private static final int CAUSES_MAX = 16;

  /// The reason in an error, without the names of classes.
  public static String why(Throwable error) {
    var message = error.getMessage();
    if (error instanceof SuperstepException && message != null) return message;
    if (message == null || message.isBlank()) return "it failed without saying why";
    return message;
  }

  /// The error of a run in the words of the text; as it is if it says nothing of a step.
  public SuperstepException located(SuperstepException error) {
    return switch (error) {
      case NodeFailed failed -> {
        var attempts = failed.attempts() > 1 ? " after " + failed.attempts() + " attempts" : "";
        yield failed(
            failed,
            failed.node(),
            "node `%s` failed in step %d%s: %s"
                .formatted(failed.node(), failed.step(), attempts, inner(failed)));
      }
      case RouterFailed failed ->
          failed(
              failed,
              node(failed.from()),
              "the choice after `%s` failed: %s".formatted(node(failed.from()), inner(failed)));
      case UnknownTarget failed -> failed(failed, node(failed.from()), why(failed));
      case StepFailed failed -> failed(failed, "", why(failed));
      default -> error;
    };
  }

  private RagRunFailed failed(StepFailed error, String node, String message) {
    return new RagRunFailed(code(error), node, place(node) + message, error);
  }

  /// The code of the innermost error of ours.
  private static String code(StepFailed error) {
    var code = error.code();
    Throwable at = error;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++, at = at.getCause()) {
      if (at instanceof SuperstepException ours) code = ours.code();
    }
    return code;
  }

  private static String inner(StepFailed error) {
    var cause = error.getCause();
    if (cause == null) return "it failed without saying why";
    return cause instanceof NodeFailed nested
        ? "inside, node `" + nested.node() + "` failed: " + inner(nested)
        : why(cause);
  }

  private static String node(String name) {
    return name.equals(dev.superstep.graph.Graph.START) ? "START" : name;
  }

  /// `file:line:column: `, or the name of the graph if there is no text.
  private String place(String node) {
    if (source.isEmpty()) return "graph `" + blueprint.graph() + "`: ";
    var spans = blueprint.provenance().map(from -> from.spans()).orElse(java.util.Map.of());
    var span = spans.getOrDefault("node/" + node, spans.getOrDefault("graph", Span.BEGINNING));
    var at = source.get().position(span.start());
    return source.get().name() + ":" + at.line() + ":" + at.column() + ": ";
  }
}
