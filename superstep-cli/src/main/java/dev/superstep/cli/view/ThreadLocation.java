package dev.superstep.cli.view;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import java.nio.file.Path;
import java.util.Optional;

/// Where a thread is kept, and the command that goes on with it. Immutable.
///
/// @param resume what the user can paste into a shell in the same directory
public record ThreadLocation(String thread, Path store, String resume) {
  private static final String STANDARD = ".superstep/superstep.db";
  private static final String VARIABLE = "SUPERSTEP_STORE";

  /// The place that the options and the environment name.
  ///
  /// @param named the store, if an option names it
  public static ThreadLocation of(Host host, String thread, Optional<String> named) {
    var file = named.or(() -> host.variable(VARIABLE)).orElse(STANDARD);
    var store = file.equals(STANDARD) ? "" : " --store " + ShellText.word(file);
    var command = host.command() + " resume " + ShellText.word(thread) + store;
    return new ThreadLocation(thread, host.path(file), command);
  }

  /// Nothing is kept of the thread here.
  public UsageError unknown() {
    return new UsageError(
        "thread.unknown",
        "There is no thread `"
            + thread
            + "` in the store "
            + store
            + ". Check its name, the current directory, or --store.");
  }

  /// The same, but going on needs the user to say again that this model is trusted.
  public ThreadLocation trusting(String model) {
    return with("--model", model);
  }

  /// The same, but going on takes an option more.
  public ThreadLocation with(String option, String value) {
    return new ThreadLocation(thread, store, resume + " " + option + " " + ShellText.word(value));
  }
}
