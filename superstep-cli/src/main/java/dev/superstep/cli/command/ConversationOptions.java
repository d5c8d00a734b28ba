package dev.superstep.cli.command;

import dev.superstep.cli.conversation.TerminalOptions;
import dev.superstep.cli.host.UsageError;
import dev.superstep.terminal.risk.RiskLevel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options of commands of the terminal workflow, as picocli fills them.
final class ConversationOptions {
  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model, such as local://gemma3-270m or openai://gpt-5.2.")
  private @Nullable String model;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "Additional rules; see `superstep policy`.")
  private @Nullable String policy;

  @Option(
      names = "--max-risk",
      paramLabel = "LEVEL",
      description = "Run commands up to this danger without asking: low or medium.")
  private @Nullable String maxRisk;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      description = "The maximum number of model calls (default: 200); then exit code 7.")
  private @Nullable Integer maxCalls;

  @Option(
      names = "--consent",
      description = "Agree to send text of this folder to the model's vendor.")
  private boolean consents;

  @Option(
      names = "--plain",
      description = {"Only append lines to the screen: for screen readers and simple terminals."})
  private boolean plain;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  TerminalOptions options(boolean json, boolean asks) {
    return new TerminalOptions(
        Optional.ofNullable(model),
        Optional.ofNullable(policy),
        new TerminalOptions.Bounds(
            Optional.ofNullable(maxRisk).map(ConversationOptions::level),
            Optional.ofNullable(maxCalls).map(ConversationOptions::positive)),
        consents,
        new TerminalOptions.Looks(json, plain, asks, debug));
  }

  private static int positive(int calls) {
    if (calls >= 1) return calls;
    throw new UsageError("usage", "--max-calls must be at least 1, was " + calls + ".");
  }

  private static RiskLevel level(String text) {
    return switch (text) {
      case "low" -> RiskLevel.LOW;
      case "medium" -> RiskLevel.MEDIUM;
      default ->
          throw new UsageError("usage", "--max-risk must be low or medium, was `" + text + "`.");
    };
  }
}
