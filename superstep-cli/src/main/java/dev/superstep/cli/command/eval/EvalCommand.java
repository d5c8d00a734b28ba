package dev.superstep.cli.command.eval;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.eval.EvalRequest;
import dev.superstep.cli.eval.EvalRun;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep eval`.
@Command(
    name = "eval",
    header = "Measures a program on the cases of its datasets.",
    description = {
      "Tries each case of FOLDER/eval/*.jsonl, checks the answers as FOLDER/eval/eval.toml says,",
      "and reports pass rates with their intervals. Results are saved as they come: the same",
      "command goes on where it was stopped or killed.",
      "This runs the folder's code with your permissions: run only code that you trust."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep eval examples/refunds",
      "  superstep eval examples/refunds --model openai://gpt-5.2 --budget \"0.50 USD\"",
      "  superstep eval examples/refunds --compare refunds-1a2b3c4d --report report.html",
      "  superstep eval examples/refunds --threshold 0.9 --junit-xml target/eval.xml",
      "",
      "Exit code 1 if the pass rate is under the threshold, or a judge agrees too little with",
      "people; 7 if trials are missing since the budget is used up."
    })
public final class EvalCommand extends HostCommand {
  private static final int NUMBER_MAX = 1_000;

  // Not required of `superstep eval add`, whose parent this is.
  @Parameters(
      paramLabel = "FOLDER",
      arity = "0..1",
      description = "A folder with a superstep.toml, or with a .rag file.")
  private String folder = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = {
        "The name of the results; by default made of the folder's name and a digest",
        "of the program, its model, the datasets and the checks."
      })
  private @Nullable String name;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model, such as openai://gpt-5.2 or recorded://FILE.jsonl.")
  private @Nullable String model;

  @Option(
      names = "--judge",
      paramLabel = "URL",
      description = "The model of all judges, in place of those that eval.toml names.")
  private @Nullable String judge;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description = "Keep the model's replies in a file, for --model recorded://FILE.")
  private @Nullable String record;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "How often each case is tried; by default as eval.toml says, else once.")
  private @Nullable Integer repeats;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "How many trials are made at once; by default as eval.toml says, else 4.")
  private @Nullable Integer concurrency;

  @Option(
      names = "--budget",
      paramLabel = "AMOUNT",
      description = {
        "The most that all trials and judges spend: `500 calls`, `200000 tokens` or",
        "`0.50 USD`. Trials that are then missing are made by the next run."
      })
  private @Nullable String budget;

  @Option(
      names = "--filter",
      paramLabel = "TEXT",
      description = {
        "Try only cases whose id contains TEXT, or that have it as a tag. May be",
        "repeated."
      })
  private List<String> filters = List.of();

  @Option(
      names = "--threshold",
      paramLabel = "RATE",
      description = "The least pass rate, 0 to 1; by default as eval.toml says, else none.")
  private @Nullable Double threshold;

  @Option(
      names = "--compare",
      paramLabel = "NAME",
      description = "Compare with earlier results, case by case.")
  private @Nullable String compare;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write a report in HTML, which needs no network.")
  private @Nullable String report;

  @Option(
      names = "--junit-xml",
      paramLabel = "FILE",
      description = "Write the results as build servers read those of JUnit.")
  private @Nullable String junitXml;

  @Option(names = "--json", description = "Write the results as one JSON object.")
  private boolean json;

  @Option(
      names = "--anew",
      description = "Begin anew if --name has results of another program, dataset or check.")
  private boolean anew;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = "The file with the results; by default .superstep/eval.db.")
  private @Nullable String store;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  public EvalCommand(Host host) {
    super(host);
  }

  private static void check(String option, @Nullable Integer number) {
    if (number == null || (number >= 1 && number <= NUMBER_MAX)) return;
    throw new UsageError(
        "usage", "%s must be 1 to %d, was %d.".formatted(option, NUMBER_MAX, number));
  }

  @Override
  public Integer call() {
    if (folder.isEmpty()) throw new UsageError("usage", "Name the folder of the program.");
    check("--repeats", repeats);
    check("--concurrency", concurrency);
    return EvalRun.run(
        host,
        new EvalRequest(
            folder,
            Optional.ofNullable(name),
            new EvalRequest.Models(
                Optional.ofNullable(model),
                Optional.ofNullable(judge),
                Optional.ofNullable(record)),
            new EvalRequest.Measure(
                Optional.ofNullable(repeats),
                Optional.ofNullable(concurrency),
                Optional.ofNullable(budget),
                Optional.ofNullable(threshold),
                anew),
            filters,
            Optional.ofNullable(compare),
            new EvalRequest.Files(
                Optional.ofNullable(store),
                Optional.ofNullable(report),
                Optional.ofNullable(junitXml)),
            json,
            debug));
  }
}
