package dev.superstep.cli.model;

import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;

/// An open model. Closing it ends what it started.
///
/// @param named the model for labels and for opening it again; for a program's own recording, the
///   model that was recorded
/// @param source `live`, `recorded` or `scripted`; a label on every event
public record OpenModel(ChatModel model, ModelRef named, String source) implements AutoCloseable {
  static final String LIVE = "live";
  public static final String RECORDED = "recorded";
  static final String SCRIPTED = "scripted";

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
