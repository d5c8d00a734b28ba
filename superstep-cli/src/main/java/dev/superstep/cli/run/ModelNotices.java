package dev.superstep.cli.run;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.OpenModel;
import java.util.function.Consumer;

/// Says before a run who answers: a model, a recording of one, or replies written by hand.
public final class ModelNotices {
  private ModelNotices() {}

  /// Prints the notices.
  ///
  /// @param notice prints one
  public static void print(
      Consumer<String> notice, Host host, String thread, ModelChoice choice, OpenModel model) {
    boolean isReplaced = model.isReplacement(choice);
    if (isReplaced && model.source().equals(OpenModel.WRITTEN)) {
      notice.accept(
          "no model here, so replies written by hand answer, from %s, labelled `written`; to get a model: %s"
              .formatted(model.named().model(), new ModelOpener(host).ways(choice.ref())));
    } else if (isReplaced) {
      notice.accept(
          "no model here, so the replies recorded from %s are used and labelled `recorded`; to get the model: %s models pull %s"
              .formatted(model.named(), host.command(), choice.ref().model()));
    }
    notice.accept(
        "thread %s, model %s (%s)"
            .formatted(thread, model.named(), isReplaced ? model.source() : choice.from().title()));
  }
}
