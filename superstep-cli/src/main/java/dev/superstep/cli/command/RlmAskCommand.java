package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
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
      "The answer goes to standard output, progress to standard error. A text may have up",
      "to 8 GiB and is never completely in memory. --resume continues a run that was",
      "stopped."
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

  @Parameters(paramLabel = "QUESTION", arity = "0..*", description = "The question.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--context",
      paramLabel = "PATH",
      description = "A file or a folder; may be repeated. By default standard input is read.")
  private List<String> contexts = new ArrayList<>();

  @Option(names = "--resume", paramLabel = "THREAD", description = "Resume a thread.")
  private String resumed = "";

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model that writes the code, such as openai://gpt-5.2.")
  private @Nullable String model;

  @Option(
      names = "--leaf-model",
      paramLabel = "URL",
      description = "The model that the code calls; by default the model of --model.")
  private @Nullable String leaf;

  @Option(
      names = "--consent",
      description = "Agree to send text of this folder to the model's vendor.")
  private boolean consents;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The file with the threads: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(
      names = "--trajectory",
      paramLabel = "FOLDER",
      description = "Write the code that ran to this folder; see `superstep rlm replay`.")
  private @Nullable String trajectory;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A JSON file with models, instructions and limits; options override it.")
  private @Nullable String config;

  @Option(
      names = "--max-turns",
      paramLabel = "N",
      description = "The maximum number of turns (default: 20).")
  private @Nullable Integer turns;

  @Option(
      names = "--max-calls",
      paramLabel = "N",
      description = "The maximum number of model calls by code (default: 64).")
  private @Nullable Integer calls;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      description = "The maximum number of tokens of the whole run (default: 2000000).")
  private @Nullable Long tokens;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "The maximum depth of nested sessions, 0 to 4 (default: 1).")
  private @Nullable Integer depth;

  @Option(
      names = "--direct",
      paramLabel = "TOKENS",
      description = {
        "The model reads a text of up to N tokens directly, without code; 0 for never",
        "(default: 12000)."
      })
  private @Nullable Integer direct;

  @Option(names = "--force-rlm", description = "Equivalent to --direct 0.")
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
