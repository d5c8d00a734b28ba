package dev.superstep.repl.python;

import dev.superstep.json.SuperstepException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cells in Python cannot run on this machine, because they would not be confined or there is no
/// Python. Nothing else is taken instead.
public final class PythonUnavailable extends SuperstepException {
  private static final long serialVersionUID = 1;
  private final transient List<String> missing;

  PythonUnavailable(List<String> missing, @Nullable Throwable cause) {
    super(
        "repl.python-unavailable",
        "Cells in Python are refused here: %s. Install bubblewrap and Python 3.9 or newer and"
                .formatted(String.join("; ", missing))
            + " allow user namespaces, or use the built-in language, which needs no sandbox.",
        cause);
    this.missing = List.copyOf(missing);
  }

  /// The reasons.
  public List<String> missing() {
    return missing;
  }
}
