package dev.superstep.cli.eval;

import dev.superstep.budget.Prices;
import dev.superstep.catalog.ModelCatalog;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.JsonOutput;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.eval.Evaluation;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.check.Check;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.dataset.Digests;
import dev.superstep.eval.report.HtmlReport;
import dev.superstep.eval.report.JsonReport;
import dev.superstep.eval.report.JunitXml;
import dev.superstep.eval.report.TextReport;
import dev.superstep.event.Redaction;
import dev.superstep.model.ChatModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The work of `superstep eval`.
public final class EvalRun {
  static final String STORE = ".superstep/eval.db";
  private static final String ENDING = ".jsonl";
  private static final String CURRENCY = "USD";
  private static final int NAME_MAX = 60;

  private final Host host;
  private final EvalRequest request;
  private final Output output;

  private EvalRun(Host host, EvalRequest request) {
    this.host = host;
    this.request = request;
    this.output =
        request.isJson()
            ? new JsonOutput(host.terminal(), Redaction.payloads(), request.isDebug())
            : new PlainOutput(host.terminal(), request.isDebug());
  }

  /// Evaluates the program of a folder.
  ///
  /// @return the exit code
  public static int run(Host host, EvalRequest request) {
    var work = new EvalRun(host, request);
    try {
      return work.run();
    } catch (RuntimeException | Error e) {
      return work.output.failed(e);
    }
  }

  private int run() {
    var path = host.path(request.folder());
    var recording = request.models().record().map(host::path);
    try (var target = EvalTarget.open(host, path, request.models().subject(), recording)) {
      target.notices().forEach(output::notice);
      var config = EvalConfig.read(target.root());
      var evaluation = evaluation(target, config);
      try (var store = SqliteCheckpointer.open(storeFile(host, request.files().store()))) {
        // Looked for before anything is spent.
        var earlier = request.compare().map(name -> Evaluation.stored(name, store));
        output.notice(
            "evaluation %s: %s, results in %s"
                .formatted(
                    evaluation.name(),
                    cases(evaluation),
                    storeFile(host, request.files().store())));
        tellOfMissingChecks(evaluation, config);
        var main = Thread.currentThread();
        host.stop().onStop(main::interrupt);
        return report(evaluation.run(store), earlier, threshold(config));
      } catch (InterruptedException _) {
        output.notice("stopped; finished trials are saved; go on with the same command");
        return ExitCodes.INTERRUPTED;
      }
    }
  }

  private static String cases(Evaluation evaluation) {
    int cases = evaluation.dataset().cases().size();
    return cases == 1 ? "1 case" : cases + " cases";
  }

  private void tellOfMissingChecks(Evaluation evaluation, EvalConfig config) {
    if (!evaluation.checks().isEmpty()) return;
    output.notice(
        "there are no checks, so a trial passes when it ends; name checks in "
            + config.folder().resolve(EvalConfig.FILE));
  }

  private Optional<Double> threshold(EvalConfig config) {
    var threshold = request.measure().threshold().or(config::threshold);
    if (threshold.filter(least -> !(least >= 0 && least <= 1)).isPresent()) {
      throw new UsageError("usage", "The threshold must be 0 to 1, was " + threshold.get() + ".");
    }
    return threshold;
  }

  private Evaluation evaluation(EvalTarget target, EvalConfig config) {
    var dataset = dataset(config);
    var prices = Prices.of(ModelCatalog.shipped(), CURRENCY, host.clock());
    var checks = new ConfiguredChecks(config, target.loader(), url -> judge(target, url));
    // Made once without a name, since the name tells what is evaluated.
    var unnamed = checks.addTo(Evaluation.named("unnamed", dataset, target.subject()));
    var name = request.name().orElseGet(() -> name(target, dataset, unnamed));
    var evaluation =
        unnamed
            .withName(named(name))
            .prices(prices, CURRENCY)
            .repeats(request.measure().repeats().or(config::repeats).orElse(1))
            .only(selected());
    var concurrency = request.measure().concurrency().or(config::concurrency);
    if (concurrency.isPresent()) evaluation = evaluation.concurrency(concurrency.get());
    if (config.timeout().isPresent()) evaluation = evaluation.timeout(config.timeout().get());
    var budget = request.measure().budget();
    if (budget.isPresent()) evaluation = evaluation.budget(EvalBudget.of(budget.get(), prices));
    return request.measure().startsAnew() ? evaluation.startAnew() : evaluation;
  }

  private ChatModel judge(EvalTarget target, Optional<String> configured) {
    var typed = request.models().judge();
    return typed.isPresent() ? target.typedJudge(typed.get()) : target.judge(configured);
  }

  private static String named(String name) {
    if (name.matches("[A-Za-z0-9._-]{1,100}")) return name;
    throw new UsageError(
        "usage", "--name must have 1 to 100 letters, digits, `.`, `_` or `-`, was `" + name + "`.");
  }

  /// A name that is the same while program, datasets and checks are.
  private static String name(EvalTarget target, Dataset dataset, Evaluation evaluation) {
    var all =
        target.subject().version()
            + dataset.digest()
            + evaluation.checks().stream().map(Check::version).toList();
    var plain = target.subject().name().replaceAll("[^A-Za-z0-9._-]", "-");
    return plain.substring(0, Math.min(NAME_MAX, plain.length()))
        + "-"
        + Digests.of(all).substring(0, 8);
  }

  private static Dataset dataset(EvalConfig config) {
    var files = datasets(config);
    if (files.isEmpty()) {
      throw new UsageError(
          "eval.no-dataset",
          "Folder %s has no dataset. Add a file of cases in JSONL, or make one of a thread: superstep eval add FOLDER --thread ID"
              .formatted(config.folder()));
    }
    return Dataset.read(files.toArray(Path[]::new));
  }

  private static List<Path> datasets(EvalConfig config) {
    if (!Files.isDirectory(config.folder())) return List.of();
    var labelled = ConfiguredChecks.labelled(config);
    try (var files = Files.list(config.folder())) {
      return files
          .filter(file -> file.toString().endsWith(ENDING))
          .filter(file -> !labelled.contains(file))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Folder " + config.folder() + " cannot be listed.", e);
    }
  }

  private Predicate<Case> selected() {
    if (request.filters().isEmpty()) return _ -> true;
    return item ->
        request.filters().stream()
            .anyMatch(text -> item.id().contains(text) || item.tags().contains(text));
  }

  /// The file of the results.
  static Path storeFile(Host host, Optional<String> named) {
    return host.path(named.orElse(STORE));
  }

  private int report(
      EvaluationResult result, Optional<EvaluationResult> earlier, Optional<Double> threshold) {
    var comparison = earlier.map(before -> before.comparedWith(result));
    request
        .files()
        .report()
        .ifPresent(file ->
            write(file, comparison.map(HtmlReport::of).orElseGet(() -> HtmlReport.of(result))));
    request.files().junitXml().ifPresent(file -> write(file, JunitXml.of(result)));
    if (request.isJson()) {
      print(comparison.map(JsonReport::of).orElseGet(() -> JsonReport.of(result)).text());
    } else {
      print(TextReport.of(result).stripTrailing());
      comparison.map(TextReport::of).ifPresent(text -> print("\n" + text.stripTrailing()));
    }
    if (!result.isComplete()) return ExitCodes.BUDGET;
    return threshold.filter(least -> isBelow(result, least)).isPresent()
        ? below(result, threshold.get())
        : ExitCodes.COMPLETED;
  }

  private static boolean isBelow(EvaluationResult result, double least) {
    boolean isTrusted = result.judges().stream().allMatch(judge -> judge.isTrusted());
    return !isTrusted || !(result.summary().passRate().estimate() >= least);
  }

  private int below(EvaluationResult result, double least) {
    output.notice(
        "the pass rate is %.3f, and %.3f was asked for, with judges to be trusted"
            .formatted(result.summary().passRate().estimate(), least));
    return ExitCodes.BELOW;
  }

  private void write(String typed, String text) {
    var file = host.path(typed);
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("File " + file + " cannot be written.", e);
    }
  }

  private void print(String text) {
    host.terminal().out().println(request.isJson() ? text : SafeText.of(text));
    host.terminal().out().flush();
  }
}
