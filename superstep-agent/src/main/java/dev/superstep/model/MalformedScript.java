package dev.superstep.model;

import dev.superstep.json.SuperstepException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file of scripted replies does not have the form that [ScriptedModel#open] describes.
public final class MalformedScript extends SuperstepException {
  MalformedScript(Path file, String why, @Nullable Throwable cause) {
    super(
        "model.malformed-script",
        "Script " + file + ": " + why + " See ScriptedModel.open for the form.",
        cause);
  }
}
