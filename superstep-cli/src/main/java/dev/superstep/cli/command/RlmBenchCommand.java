package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
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
    header = "Benchmarks methods of answering questions about long texts.",
    description = {
      "The texts are generated, so the answers are known. The methods are: the model reads",
      "the text directly (direct), code without model calls (depth 0), code that calls a",
      "model (depth 1), nested sessions (depth 2), and functions whose cost is known in",
      "advance (combinators). Without --model the code is scripted and the model is",
      "simulated: that tests the harness, and says nothing about language models."
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
        "Run only these suites: mechanism, needle, hops, count, frequent, users, pairs,",
        "tools. By default a real model runs all but the first and the last."
      })
  private List<String> suites = new ArrayList<>();

  @Option(
      names = "--sizes",
      split = ",",
      paramLabel = "N",
      description = {
        "The lengths of the texts in characters, such as 2^13 or 8192. By default 2^13, 2^15,",
        "2^17 and 2^20, with a real model the first two."
      })
  private List<String> sizes = new ArrayList<>();

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "The number of texts for each line. By default 3; 40 for mechanism and tools; 1 for a",
        "real model."
      })
  private int seeds;

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model to measure, such as openai://gpt-5.2; a simulation by default.")
  private @Nullable String model;

  @Option(
      names = "--leaf-model",
      paramLabel = "URL",
      description = "The model that the code calls; by default the model of --model.")
  private @Nullable String leaf;

  @Option(
      names = "--max-tokens",
      paramLabel = "N",
      defaultValue = "2000000",
      description = {
        "The maximum number of tokens of the whole benchmark (default: ${DEFAULT-VALUE})."
      })
  private long tokens;

  @Option(names = "--consent", description = "Agree to send the texts to the model's vendor.")
  private boolean consents;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write all lines to this file as JSON.")
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
