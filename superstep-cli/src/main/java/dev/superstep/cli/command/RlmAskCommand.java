package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.rlm.AskRequest;
import dev.superstep.cli.rlm.AskRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rlm ask`.
@Command(
    name = "ask",
    header = "Answers a question about files, folders or standard input.",
    description = {
      "The answer goes to standard output, progress to standard error. Texts of up to 8 GiB are",
      "never held in memory. A run that was stopped goes on with --resume."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep rlm ask 'Which services failed, and why?' --context logs/",
      "  journalctl -b | superstep rlm ask 'What happened before the restart?'",
      "  superstep rlm ask 'Sum up each chapter' --context book.txt --trajectory run-1",
      "  superstep rlm ask --resume rlm-20261128-0715-k3f9"
    })
final class RlmAskCommand extends HostCommand {
  @Parameters(paramLabel = "QUESTION", arity = "0..*", description = "What is to be answered.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--context",
      paramLabel = "PATH",
      description = "A file or a folder; may be repeated. Else standard input is read.")
  private List<String> contexts = new ArrayList<>();

  @Option(names = "--resume", paramLabel = "THREAD", description = "Go on with a thread.")
  private String resumed = "";

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model that writes the programs, such as openai://gpt-5.2.")
  private @Nullable String model;

  @Option(
      names = "--leaf-model",
      paramLabel = "URL",
      description = "The model that the programs ask; by default the same.")
  private @Nullable String leaf;

  @Option(
      names = "--consent",
      description = "Agree that texts of this folder go to the model's vendor.")
  private boolean consents;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "Where threads are kept: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(
      names = "--trajectory",
      paramLabel = "FOLDER",
      description = "Write the programs that ran there; see `superstep rlm replay`.")
  private @Nullable String trajectory;

  @Option(
      names = "--max-turns",
      paramLabel = "N",
      defaultValue = "20",
      description = "The most programs (default: ${DEFAULT-VALUE}).")
  private int turns;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      defaultValue = "64",
      description = "The most calls of models by programs (default: ${DEFAULT-VALUE}).")
  private int calls;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "The most tokens of the whole run (default: ${DEFAULT-VALUE}).")
  private long tokens;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description = "The most sessions inside of sessions, 0 to 4 (default: ${DEFAULT-VALUE}).")
  private int depth;

  @Option(
      names = "--direct",
      paramLabel = "TOKENS",
      defaultValue = "12000",
      description = {
        "A text that is no longer is read by the model itself, without programs; 0 for never",
        "(default: ${DEFAULT-VALUE})."
      })
  private int direct;

  @Option(names = "--force-rlm", description = "The same as --direct 0.")
  private boolean isForced;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  RlmAskCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    if (turns < 1 || calls < 0 || tokens < 1 || depth < 0 || depth > 4 || direct < 0) {
      throw new UsageError(
          "usage",
          "--max-turns and --max-tokens must be at least 1, --max-calls and --direct at least 0,"
              + " --depth from 0 to 4.");
    }
    return AskRun.run(
        host,
        new AskRequest(
            String.join(" ", words),
            resumed,
            contexts,
            new AskRequest.Models(Optional.ofNullable(model), Optional.ofNullable(leaf)),
            new AskRequest.Places(Optional.ofNullable(store), Optional.ofNullable(trajectory)),
            new AskRequest.Most(turns, calls, depth, tokens, isForced ? 0 : direct),
            consents,
            debug));
  }
}
