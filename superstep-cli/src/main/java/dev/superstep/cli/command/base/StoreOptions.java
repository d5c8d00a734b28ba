package dev.superstep.cli.command.base;

import dev.superstep.cli.host.UsageError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of commands that show or change saved threads, without running them.
public final class StoreOptions {
  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The file with the threads: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(names = "--debug", description = "Show stack traces.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, where all errors are told
  private boolean debug;

  public Optional<String> store() {
    return Optional.ofNullable(store);
  }

  public static void checkLimit(int limit) {
    if (limit < 1) {
      throw new UsageError("usage", "--limit must be at least 1, was " + limit + ".");
    }
  }

  public static UsageError sameName(String instead, String thread) {
    return new UsageError(
        "thread.same-name",
        "--as names thread `%s` itself. Choose another name, or see `%s`."
            .formatted(thread, instead));
  }
}
