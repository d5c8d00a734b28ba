package dev.superstep.documents.tika;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// The process of an isolated [TikaLoader] did not start. No document is to blame.
public final class ParserNotStarted extends SuperstepException {
  /// @param why one sentence without a full stop
  ParserNotStarted(String why, @Nullable Throwable cause) {
    super(
        "documents.parser-not-started",
        ("The process of a parser did not start: %s. Check the class path (withClassPath), the"
                + " command before it (withCommandPrefix), and the memory of the machine.")
            .formatted(why),
        cause);
  }
}
