package dev.superstep.cli.view;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import java.nio.file.Path;
import java.util.Optional;

/// The store of a thread, and the command that resumes it. Immutable.
///
/// @param resume what the user can paste into a shell in the same directory
public record ThreadLocation(String thread, Path store, String resume) {
  private static final String STANDARD = ".superstep/superstep.db";
  private static final String VARIABLE = "SUPERSTEP_STORE";

  /// Returns the location that the options and the environment name.
  ///
  /// @param named the store, if an option names it
  public static ThreadLocation of(Host host, String thread, Optional<String> named) {
    var file = named.or(() -> host.variable(VARIABLE)).orElse(STANDARD);
    var store = file.equals(STANDARD) ? "" : " --store " + ShellText.word(file);
    var command = host.command() + " resume " + ShellText.word(thread) + store;
    return new ThreadLocation(thread, host.path(file), command);
  }

  /// Creates an error about a thread that is not in the store.
  public UsageError unknown() {
    return new UsageError(
        "thread.unknown",
        "There is no thread `%s` in the store %s. Check its name, the current directory, or --store."
            .formatted(thread, store));
  }

  /// Returns a copy whose resume command confirms that this model is trusted.
  public ThreadLocation trusting(String model) {
    return with("--model", model);
  }

  /// Returns a copy whose resume command has another option.
  public ThreadLocation with(String option, String value) {
    return new ThreadLocation(thread, store, resume + " " + option + " " + ShellText.word(value));
  }
}
