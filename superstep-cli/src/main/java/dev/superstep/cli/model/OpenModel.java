package dev.superstep.cli.model;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;

/// An open model. Closing it ends what it started.
///
/// @param named the model for labels and for opening it again; for a program's own recording, the
///   model that was recorded
/// @param source `live`, `recorded`, `scripted`, or `written` for the replies that a program's
///   folder brings, which were written by hand; a label on every event
public record OpenModel(ChatModel model, ModelRef named, String source) implements AutoCloseable {
  static final String LIVE = "live";
  public static final String RECORDED = "recorded";
  static final String SCRIPTED = "scripted";
  public static final String WRITTEN = "written";

  /// Returns whether the program's folder answers in place of a model that is not there.
  public boolean isReplacement(ModelChoice choice) {
    return choice.from() == ModelChoice.From.STANDARD
        && (source.equals(RECORDED) || source.equals(WRITTEN));
  }

  @Override
  public void close() {
    if (!(model instanceof AutoCloseable resource)) return;
    try {
      resource.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("model " + named + " cannot be closed", e);
    }
  }
}
