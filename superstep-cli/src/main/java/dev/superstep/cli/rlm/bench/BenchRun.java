package dev.superstep.cli.rlm.bench;

import dev.superstep.budget.Budget;
import dev.superstep.budget.Ledger;
import dev.superstep.cli.conversation.VendorConsent;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.json.Json;
import dev.superstep.language.Suggestion;
import dev.superstep.model.ChatModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The work of `superstep rlm bench`: generated questions with exact answers, answered in several
/// ways by the same engine, by scripted programs on a simulated model or by a real model.
public final class BenchRun {
  static final String MECHANISM = "mechanism";
  static final String TOOLS = "tools";

  private static final List<Integer> LINES = List.of(100, 1_000, 3_000, 10_000);
  private static final List<Integer> SIZES = List.of(1 << 13, 1 << 15, 1 << 17, 1 << 20);
  private static final List<Integer> SIZES_OF_MODEL = List.of(1 << 13, 1 << 15);
  private static final int LINE = 76;
  private static final int SEEDS_OF_MECHANISM = 40;
  private static final int SEEDS = 3;
  private static final String LABEL =
      """
      Simulation of the harness: scripted programs, and a simulated model that reads
      worse the more it is given. It is no result about language models.
      """;

  private final Host host;
  private final BenchRequest request;
  private final Ledger ledger;
  private final List<Row> rows = new ArrayList<>();
  private final List<ToolTrial.Row> tools = new ArrayList<>();
  private boolean isOverBudget;

  private BenchRun(Host host, BenchRequest request) {
    this.host = host;
    this.request = request;
    // The simulation costs nothing.
    var most = Budget.unlimited();
    this.ledger =
        Ledger.of("bench", request.driver().isEmpty() ? most : most.totalTokens(request.tokens()));
  }

  /// Runs the suites and prints their tables.
  ///
  /// @return the exit code
  public static int run(Host host, BenchRequest request) {
    try {
      return new BenchRun(host, request).run();
    } catch (IOException e) {
      throw new UncheckedIOException("The lines cannot be written: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    }
  }

  private int run() throws IOException, InterruptedException {
    var suites = suites();
    var label = LABEL.stripTrailing();
    if (request.driver().isEmpty()) {
      print(label);
      for (var suite : suites) simulated(suite);
    } else {
      label = measured(suites);
    }
    if (rows.stream().anyMatch(row -> row.overWindow() > 0)) {
      print("* over the window of the model, which counts as wrong");
    }
    if (request.json().isPresent()) {
      var file = host.path(request.json().get());
      Files.writeString(file, Json.of(new Report(label, rows, tools)).text() + "\n");
    }
    if (!isOverBudget) return ExitCodes.COMPLETED;
    notice("the budget of %,d tokens is used up".formatted(request.tokens()));
    return ExitCodes.BUDGET;
  }

  /// The file of `--json`.
  record Report(String label, List<Row> rows, List<ToolTrial.Row> tools) {
    Report {
      rows = List.copyOf(rows);
      tools = List.copyOf(tools);
    }
  }

  /// The suites that are wanted, in their order.
  private List<String> suites() {
    var all = new ArrayList<>(Suite.ids());
    if (request.driver().isEmpty()) {
      all.addFirst(MECHANISM);
      all.add(TOOLS);
    }
    for (var name : request.suites()) {
      if (all.contains(name)) continue;
      var near = Suggestion.nearest(name, all).map(n -> " Did you mean `" + n + "`?").orElse("");
      boolean isSimulated = name.equals(MECHANISM) || name.equals(TOOLS);
      throw new UsageError(
          "bench.suite",
          isSimulated
              ? "Suite `" + name + "` asks no real model; leave out --model."
              : "There is no suite `"
                  + name
                  + "`; there are "
                  + String.join(", ", all)
                  + "."
                  + near);
    }
    return all.stream()
        .filter(name -> request.suites().isEmpty() || request.suites().contains(name))
        .toList();
  }

  private int seeds(int standard) {
    return request.seeds() > 0 ? request.seeds() : standard;
  }

  // --- the simulation ---

  private void simulated(String name) throws InterruptedException {
    switch (name) {
      case MECHANISM -> mechanism();
      case TOOLS -> {
        int seeds = seeds(SEEDS_OF_MECHANISM);
        tools.addAll(ToolTrial.run(seeds));
        print("");
        var title =
            "tools: one policy by tool calls and by programs, "
                + seeds
                + " shops; counts turns and\ncharacters, and claims only those";
        BenchTable.ofTools(title, tools).forEach(this::print);
      }
      default -> {
        var suite = Suite.valueOf(name.toUpperCase(java.util.Locale.ROOT));
        int seeds = seeds(SEEDS);
        var sizes = request.sizes().isEmpty() ? SIZES : request.sizes();
        var all = new ArrayList<Row>();
        for (int size : sizes) {
          for (var way : Way.ALL) {
            all.add(row(suite, size, way, seeds, seed -> simulated(suite, way, seed, size)));
          }
        }
        show(suite.title() + "; " + counted(seeds), all);
      }
    }
  }

  private Trial simulated(Suite suite, Way way, long seed, int size) {
    return simulated(suite, way, seed, suite.task(size, seed));
  }

  private Trial simulated(Suite suite, Way way, long seed, Task task) {
    var rot = RotModel.standard(seed);
    var root = way == Way.DIRECT ? rot : Programs.of(suite, way, task);
    return new Trial(way, task, root, rot, ledger);
  }

  /// Counting, where the way in which the text is cut makes the difference.
  private void mechanism() throws InterruptedException {
    int seeds = seeds(SEEDS_OF_MECHANISM);
    var all = new ArrayList<Row>();
    var wanted = request.sizes().stream().map(size -> Math.max(1, size / LINE)).toList();
    for (int lines : wanted.isEmpty() ? LINES : wanted) {
      for (var way : Way.OF_SIMULATION) {
        Trials trials = seed -> simulated(Suite.COUNT, way, seed, EntryTasks.lines(lines, seed));
        all.add(row(MECHANISM, lines * LINE, way, trials, seeds));
      }
    }
    show("mechanism: counting, score 0.75^|error|; " + counted(seeds), all);
  }

  // --- a real model ---

  private String measured(List<String> suites) throws InterruptedException {
    var driver = ModelChoice.forRun(host, request.driver(), Optional.empty());
    var leaf =
        request
            .leaf()
            .map(url -> ModelChoice.forRun(host, Optional.of(url), Optional.empty()))
            .orElse(driver);
    consent(driver);
    consent(leaf);
    try (var root = new ModelOpener(host).open(driver);
        var asked = new ModelOpener(host).open(leaf)) {
      var label = "Measured with " + root.named() + ", programs ask " + asked.named() + ".";
      print(label);
      for (var name : suites) {
        if (isOverBudget) break;
        measured(
            Suite.valueOf(name.toUpperCase(java.util.Locale.ROOT)), root.model(), asked.model());
      }
      var spent = ledger.spent();
      notice("%,d tokens in %,d calls".formatted(spent.usage().total(), spent.calls()));
      return label;
    }
  }

  private void consent(ModelChoice choice) {
    VendorConsent.require(
        host,
        choice.ref(),
        "generated texts, in %s,",
        question -> request.consents() || agrees(question));
  }

  private boolean agrees(String question) {
    if (!host.terminal().asks()) return false;
    return host.terminal().ask(question + " [yes/no] ").filter("yes"::equals).isPresent();
  }

  private void measured(Suite suite, ChatModel root, ChatModel leaf) throws InterruptedException {
    int seeds = seeds(1);
    var all = new ArrayList<Row>();
    for (int size : request.sizes().isEmpty() ? SIZES_OF_MODEL : request.sizes()) {
      for (var way : Way.ALL) {
        if (isOverBudget) break;
        all.add(
            row(
                suite,
                size,
                way,
                seeds,
                seed -> new Trial(way, suite.task(size, seed), root, leaf, ledger)));
      }
    }
    show(suite.title() + "; " + counted(seeds), all);
  }

  // --- trials ---

  @FunctionalInterface
  private interface Trials {
    Trial of(long seed);
  }

  private Row row(Suite suite, int size, Way way, int seeds, Trials trials)
      throws InterruptedException {
    return row(suite.id(), size, way, trials, seeds);
  }

  private Row row(String suite, int size, Way way, Trials trials, int seeds)
      throws InterruptedException {
    var all = new ArrayList<Trial.Outcome>();
    for (long seed = 1; seed <= seeds && !isOverBudget; seed++) {
      var outcome = trials.of(seed).run();
      isOverBudget = outcome.end() == Trial.End.OUT_OF_BUDGET;
      if (!isOverBudget) all.add(outcome);
    }
    return Row.of(suite, size, way, all);
  }

  private static String counted(int seeds) {
    return seeds == 1 ? "1 seed" : seeds + " seeds";
  }

  private void show(String title, List<Row> all) {
    var whole = all.stream().filter(row -> row.trials() > 0).toList();
    if (whole.isEmpty()) return;
    rows.addAll(whole);
    print("");
    BenchTable.of(title, whole).forEach(this::print);
  }

  private void print(String line) {
    host.terminal().out().println(SafeText.of(line));
    host.terminal().out().flush();
  }

  private void notice(String text) {
    host.terminal().err().println("superstep: " + SafeText.line(text));
    host.terminal().err().flush();
  }
}
