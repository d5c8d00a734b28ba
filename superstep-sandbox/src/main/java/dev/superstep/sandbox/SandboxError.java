package dev.superstep.sandbox;

import java.io.Serial;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A command that a [Sandbox] did not run. Nothing was started, or what was started is gone.
public abstract sealed class SandboxError extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private SandboxError(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /// This machine cannot hold the tier, or not with these settings of the command. No other tier is
  /// taken instead.
  public static final class TierUnavailable extends SandboxError {
    @Serial private static final long serialVersionUID = 1;
    private final Tier tier;
    private final transient List<String> missing;

    TierUnavailable(Tier tier, List<String> missing) {
      super(
          "Tier %s cannot be held here: %s. Take another tier, or install what is missing."
              .formatted(tier, String.join("; ", missing)),
          null);
      this.tier = tier;
      this.missing = List.copyOf(missing);
    }

    /// The tier that was requested.
    public Tier tier() {
      return tier;
    }

    /// The reasons.
    public List<String> missing() {
      return missing;
    }
  }

  /// The program could not be started.
  public static final class NotStarted extends SandboxError {
    @Serial private static final long serialVersionUID = 1;
    private final String program;

    NotStarted(String program, String why, @Nullable Throwable cause) {
      super("`%s` was not started: %s.".formatted(program, why), cause);
      this.program = program;
    }

    /// The first word of the command.
    public String program() {
      return program;
    }
  }

  /// A name that must be protected cannot be, because it is a symbolic link.
  public static final class Unprotectable extends SandboxError {
    @Serial private static final long serialVersionUID = 1;
    private final transient Path path;

    Unprotectable(Path path) {
      super(
          "`%s` is a symbolic link, which cannot be protected from the command.".formatted(path)
              + " Replace it, or leave its name out of the protected ones.",
          null);
      this.path = path;
    }

    /// The link.
    public Path path() {
      return path;
    }
  }

  /// A program that is talked to by [FramedProcess] has ended, or has stopped to listen.
  public static final class ProcessEnded extends SandboxError {
    @Serial private static final long serialVersionUID = 1;
    private final String program;

    ProcessEnded(String program, String how, String complaint) {
      super(
          "`%s` is gone: %s%s. Start it again."
              .formatted(program, how, complaint.isEmpty() ? "" : ", and said: " + complaint),
          null);
      this.program = program;
    }

    /// The first word of the command.
    public String program() {
      return program;
    }
  }

  /// A program that is talked to by [FramedProcess] sent too much at once, and was killed.
  public static final class FrameTooLarge extends SandboxError {
    @Serial private static final long serialVersionUID = 1;
    private final long bytes;

    FrameTooLarge(String program, long bytes, int most) {
      super(
          "`%s` was killed: it began a frame of %d bytes, and %d are allowed."
                  .formatted(program, bytes, most)
              + " Send less at once.",
          null);
      this.bytes = bytes;
    }

    /// The length that it announced.
    public long bytes() {
      return bytes;
    }
  }
}
