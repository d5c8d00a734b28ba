package dev.superstep.cli;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.program.ProgramContext;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What `superstep resume` does.
final class ResumeWork {
  private final Host host;
  private final ThreadPlace place;
  private final ThreadFlags flags;
  private final Optional<Path> results;
  private final Output output;

  private ResumeWork(Host host, String thread, Optional<String> results, ThreadFlags flags) {
    this.host = host;
    var place = ThreadPlace.of(host, thread, flags.store());
    // Named again, since a run that ends before the next checkpoint does not keep it.
    this.place = results.map(folder -> place.with("--output", folder)).orElse(place);
    this.results = results.map(host::path);
    this.flags = flags;
    this.output = Output.of(host.terminal(), flags);
  }

  /// Lets a kept thread go on.
  ///
  /// @param results where results go from now on, if not where they went before
  /// @return the exit code
  static int run(Host host, String thread, Optional<String> results, ThreadFlags flags) {
    var work = new ResumeWork(host, thread, results, flags);
    try {
      return work.run();
    } catch (RuntimeException | Error e) {
      return work.output.failed(e);
    }
  }

  private int run() {
    // Opening would make the file.
    if (!Files.exists(place.store())) throw place.unknown();
    var given = flags.given(host.terminal());
    try (var store = SqliteCheckpointer.open(place.store())) {
      var before = Kept.of(place.thread(), metadata(store));
      var kept = results.map(before::into).orElse(before);
      // Said before any of its code runs: the store names the folder, not the user.
      output.notice("thread " + place.thread() + " of " + kept.program());
      var folder = ProgramFolder.open(kept.program());
      try (var program = LoadedProgram.of(folder);
          var model = model(kept, folder)) {
        var now = kept.with(model);
        output.notice("model " + named(model));
        var around = new ProgramContext(model.model(), now.output());
        var graph = program.program().graph(around);
        boolean isAgreed = !now.isReplaced() && ModelChoice.needsTrust(model.named());
        var trusted = isAgreed ? place.trusting(model.named().url()) : place;
        var job = new ThreadRun.Job(trusted, now, program.program(), graph, store, flags);
        var asking =
            flags.asks(host.terminal()) ? new Asking(program.program(), host.terminal()) : null;
        return new ThreadRun(job, output, new Answering(given, asking), host.stop()).resume(host);
      }
    }
  }

  private Map<String, String> metadata(Checkpointer store) {
    return store.latest(lineage()).orElseThrow(place::unknown).checkpoint().metadata();
  }

  private Lineage lineage() {
    try {
      return Lineage.of(place.thread());
    } catch (IllegalArgumentException _) {
      throw place.unknown();
    }
  }

  private OpenModel model(Kept kept, ProgramFolder folder) {
    var opening = new ModelOpening(host);
    if (flags.model().isEmpty() && kept.isReplaced()) {
      return opening.recordedBefore(folder, kept.input());
    }
    return opening.open(
        ModelChoice.forResume(host, flags.model(), kept.model()), folder, kept.input());
  }

  private String named(OpenModel model) {
    var how = flags.model().isPresent() ? "--model" : "as before";
    return model.named()
        + " ("
        + (model.source().equals(OpenModel.RECORDED) ? OpenModel.RECORDED + ", " : "")
        + how
        + ")";
  }
}
