package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.rlm.bench.BenchRequest;
import dev.superstep.cli.rlm.bench.BenchRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep rlm bench`.
@Command(
    name = "bench",
    header = "Compares ways to answer questions about generated texts.",
    description = {
      "The answers are known exactly. Compared are: the model reads the text itself (direct),",
      "programs without models (depth 0), programs that ask a model (depth 1), sessions inside of",
      "sessions (depth 2), and functions whose cost is known before (combinators). Without --model",
      "the programs are scripted and the model is simulated; that shows how the harness works and",
      "nothing about language models."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep rlm bench",
      "  superstep rlm bench --suite count,pairs --sizes 2^13,2^16 --seeds 10",
      "  superstep rlm bench --model ollama://localhost:11434/qwen3:8b --json figures.json"
    })
final class RlmBenchCommand extends HostCommand {
  private static final int SIZE_MIN = 1 << 10;
  private static final int SIZE_MAX = 1 << 24;
  private static final Pattern SIZE = Pattern.compile("2\\^(\\d{1,2})|(\\d{1,8})");

  @Option(
      names = "--suite",
      split = ",",
      paramLabel = "NAME",
      description = {
        "Run these alone: mechanism, needle, hops, count, frequent, users, pairs, tools. A real",
        "model gets all but the first and the last."
      })
  private List<String> suites = new ArrayList<>();

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "N",
      description = {
        "The characters of the texts, such as 2^13 or 8192. By default 2^13, 2^15, 2^17 and 2^20,",
        "with a real model the first two."
      })
  private List<String> sizes = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "0",
      description = "Texts for each line. By default 3, for mechanism and tools 40, for a model 1.")
  private int seeds;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "Measure this model, such as openai://gpt-5.2, in place of the simulation.")
  private @Nullable String model;

  @Option(
      names = "--leaf-model",
      paramLabel = "URL",
      description = "The model that programs ask; by default the same.")
  private @Nullable String leaf;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      defaultValue = "2000000",
      description = "The most tokens of the whole bench (default: ${DEFAULT-VALUE}).")
  private long tokens;

  @Option(names = "--consent", description = "Agree that the texts go to the model's vendor.")
  private boolean consents;

  @Option(names = "--json", paramLabel = "FILE", description = "Write all lines there as JSON.")
  private @Nullable String json;

  RlmBenchCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    if (seeds < 0 || tokens < 1) {
      throw new UsageError("usage", "--seeds must be at least 1, and --max-tokens as well.");
    }
    if (model == null && leaf != null) {
      throw new UsageError("usage", "--leaf-model goes with --model.");
    }
    return BenchRun.run(
        host,
        new BenchRequest(
            suites,
            sizes.stream().map(RlmBenchCommand::size).toList(),
            seeds,
            Optional.ofNullable(model),
            Optional.ofNullable(leaf),
            tokens,
            Optional.ofNullable(json),
            consents));
  }

  private static int size(String typed) {
    var match = SIZE.matcher(typed.strip());
    if (match.matches()) {
      var power = match.group(1);
      int size =
          power == null
              ? Integer.parseInt(match.group(2))
              : 1 << Math.min(30, Integer.parseInt(power));
      if (size >= SIZE_MIN && size <= SIZE_MAX) return size;
    }
    throw new UsageError(
        "usage", "--sizes takes numbers from 2^10 to 2^24, such as 2^13; `" + typed + "` is none.");
  }
}
