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
  private static final int DEPTH_MAX = 4;

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
      names = "--config",
      paramLabel = "FILE",
      description = {
        "Take models, instructions and limits from a JSON file; what is typed is before it."
      })
  private @Nullable String config;

  @Option(names = "--max-turns", paramLabel = "N", description = "The most programs (default: 20).")
  private @Nullable Integer turns;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      description = "The most calls of models by programs (default: 64).")
  private @Nullable Integer calls;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "The most tokens of the whole run (default: 2000000).")
  private @Nullable Long tokens;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "The most sessions inside of sessions, 0 to 4 (default: 1).")
  private @Nullable Integer depth;

  @Option(
      names = "--direct",
      paramLabel = "TOKENS",
      description = {
        "A text that is no longer is read by the model itself, without programs; 0 for never",
        "(default: 12000)."
      })
  private @Nullable Integer direct;

  @Option(names = "--force-rlm", description = "The same as --direct 0.")
  private boolean isForced;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  RlmAskCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    boolean isWithin =
        isWithin(turns, 1, Integer.MAX_VALUE)
            && isWithin(calls, 0, Integer.MAX_VALUE)
            && isWithin(tokens, 1, Long.MAX_VALUE)
            && isWithin(depth, 0, DEPTH_MAX)
            && isWithin(direct, 0, Integer.MAX_VALUE);
    if (!isWithin) {
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
            Optional.ofNullable(config),
            new AskRequest.Most(
                Optional.ofNullable(turns),
                Optional.ofNullable(calls),
                Optional.ofNullable(depth),
                Optional.ofNullable(tokens),
                isForced ? Optional.of(0) : Optional.ofNullable(direct)),
            consents,
            debug));
  }

  private static boolean isWithin(@Nullable Number typed, long least, long most) {
    return typed == null || (typed.longValue() >= least && typed.longValue() <= most);
  }
}
