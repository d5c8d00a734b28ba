package dev.superstep.example.triage;

import dev.superstep.json.SuperstepException;
import java.io.IOException;
import java.nio.file.Path;

/// The report could not be written. An older one is as it was; the run can be resumed.
public final class ReportNotWritten extends SuperstepException {
  private static final long serialVersionUID = 1L;

  ReportNotWritten(Path path, IOException cause) {
    super(
        "triage.report-not-written",
        "Report "
            + path
            + " cannot be written: "
            + why(cause)
            + ". Make room or choose another output folder, then resume the run.",
        cause);
  }

  private static String why(IOException e) {
    return switch (e) {
      case java.nio.file.AccessDeniedException _ -> "access is denied";
      case java.nio.file.FileAlreadyExistsException f -> f.getFile() + " is in the way";
      case java.nio.file.FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
