package dev.superstep.cli.view;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.language.Suggestion;
import java.nio.file.Path;
import java.util.List;
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
    return unknown(List.of());
  }

  /// Creates an error about a thread that is not in the store.
  ///
  /// @param known the threads that are
  public UsageError unknown(List<String> known) {
    var meant =
        Suggestion.nearest(thread, known)
            .map(near -> " Did you mean `" + near + "`?")
            .orElse(" Check its name, the current directory, or --store.");
    return new UsageError(
        "thread.unknown",
        "There is no thread `%s` in the store %s.%s".formatted(thread, store, meant));
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
