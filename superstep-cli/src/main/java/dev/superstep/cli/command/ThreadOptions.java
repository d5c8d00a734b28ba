package dev.superstep.cli.command;

import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.BlanketYes;
import dev.superstep.cli.view.RunFlags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The options that `run` and `resume` share, as picocli fills them.
final class ThreadOptions {
  private static final String FROM_INPUT = "-";

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model, such as local://gemma3-270m or openai://gpt-5.2.")
  private @Nullable String model;

  @Option(
      names = "--yes",
      description = {
        "Approve all yes/no questions, also later ones, except risky ones, such as tool",
        "calls."
      })
  private boolean yes;

  @Option(
      names = "--answer",
      paramLabel = "ID=VALUE",
      description = {
        "Answer a question. ID is its id; until a question is answered, also its position in",
        "the list of open questions, from 1. VALUE is yes, no, `no: reason`, JSON or a text.",
        "May be repeated."
      })
  private List<String> answers = List.of();

  @Option(
      names = "--answers",
      paramLabel = "-",
      description = "Read more answers from standard input, one ID=VALUE per line.")
  private @Nullable String answersFrom;

  @Option(
      names = "--json",
      description = {
        "Write events to standard output, one JSON object per line; the last one has the type",
        "`result` or `error`. Never asks."
      })
  private boolean json;

  @Option(
      names = "--payloads",
      description = {
        "Include the text of programs, models and people in the events of --json and of the",
        "journal. It may contain secrets."
      })
  private boolean payloads;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      defaultValue = "64",
      description = {
        "The maximum number of parallel tasks (default: ${DEFAULT-VALUE}). Does not change",
        "the result."
      })
  private int concurrency;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The file with the threads: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  RunFlags flags() {
    return flags(false);
  }

  /// @param approvesRisky whether risky questions that are open are approved, too
  RunFlags flags(boolean approvesRisky) {
    if (concurrency < 1) {
      throw new UsageError("usage", "--concurrency must be at least 1, was " + concurrency + ".");
    }
    if (answersFrom != null && !answersFrom.equals(FROM_INPUT)) {
      throw new UsageError("usage", "--answers takes only `-`, which is standard input.");
    }
    return new RunFlags(
        Optional.ofNullable(model),
        Optional.ofNullable(store),
        approvesRisky ? BlanketYes.OPEN_RISKY : yes ? BlanketYes.ORDINARY : BlanketYes.NONE,
        answers,
        answersFrom != null,
        new RunFlags.Events(json, payloads),
        debug,
        concurrency);
  }
}
