package dev.superstep.cli;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.program.ProgramContext;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// What `superstep run` does.
final class RunWork {
  static final String OUTPUT = "superstep-out";

  private final Host host;
  private final Request request;
  private final Output output;

  private RunWork(Host host, Request request) {
    this.host = host;
    this.request = request;
    this.output = Output.of(host.terminal(), request.flags());
  }

  /// What the user asked for.
  record Request(
      String folder,
      Optional<String> input,
      Optional<String> output,
      Optional<String> thread,
      ThreadFlags flags) {}

  /// Runs the program of a folder on new input.
  ///
  /// @return the exit code
  static int run(Host host, Request request) {
    var work = new RunWork(host, request);
    try {
      return work.run();
    } catch (RuntimeException | Error e) {
      return work.output.failed(e);
    }
  }

  private int run() {
    var folder = ProgramFolder.open(host.path(request.folder()));
    var input = input(folder);
    var thread = thread(folder);
    var given = request.flags().given(host.terminal());
    try (var program = LoadedProgram.of(folder)) {
      var graphInput = program.program().input(input);
      var choice = ModelChoice.forRun(host, request.flags().model(), folder);
      var opening = new ModelOpening(host);
      try (var model = opening.open(choice, folder, input)) {
        var place = place(thread, choice);
        try (var store = SqliteCheckpointer.open(place.store())) {
          checkNew(store, place);
          announce(place, choice, model);
          var kept = new Kept(folder.root(), input, outputFolder(thread), "", "").with(model);
          var around = new ProgramContext(model.model(), kept.output());
          var graph = program.program().graph(around);
          var job =
              new ThreadRun.Job(place, kept, program.program(), graph, store, request.flags());
          var asking =
              request.flags().asks(host.terminal())
                  ? new Asking(program.program(), host.terminal())
                  : null;
          return new ThreadRun(job, output, new Answering(given, asking), host.stop())
              .start(graphInput, host);
        }
      }
    }
  }

  private Path input(ProgramFolder folder) {
    var input =
        request
            .input()
            .map(host::path)
            .or(folder::input)
            .orElseThrow(() ->
                new UsageError(
                    "input.none",
                    "Nothing to work on: name it with --input, or as `input` under [program] in "
                        + folder.root().resolve(ProgramFolder.FILE)
                        + "."));
    if (Files.exists(input)) return input;
    throw new UsageError("input.missing", "There is no input " + input + ". Check the path.");
  }

  private String thread(ProgramFolder folder) {
    var name = request.thread().orElseGet(() -> ThreadNames.fresh(folder.root(), host.chance()));
    return ThreadNames.checked(name);
  }

  private ThreadPlace place(String thread, ModelChoice choice) {
    var place = ThreadPlace.of(host, thread, request.flags().store());
    return ModelChoice.needsTrust(choice.ref()) ? place.trusting(choice.ref().url()) : place;
  }

  private Path outputFolder(String thread) {
    return request
        .output()
        .map(host::path)
        .orElseGet(() -> host.folder().resolve(OUTPUT).resolve(ThreadNames.inFile(thread)));
  }

  private static void checkNew(Checkpointer store, ThreadPlace place) {
    var latest = store.latest(Lineage.of(place.thread()));
    if (latest.isEmpty()) return;
    if (latest.get().checkpoint().progress().next().isEmpty()) {
      throw new UsageError(
          "thread.exists",
          "Thread `" + place.thread() + "` has run to its end. Name another with --thread.");
    }
    throw new UsageError(
        "thread.unfinished",
        "Thread `"
            + place.thread()
            + "` has work left, so it takes no new input. Go on with it: "
            + place.resume());
  }

  private void announce(ThreadPlace place, ModelChoice choice, OpenModel model) {
    boolean replaced = isReplaced(choice, model);
    if (replaced) {
      output.notice(
          "no model here, so the replies recorded from "
              + model.named()
              + " are used and labelled `recorded`; to get the model: "
              + host.command()
              + " models pull "
              + choice.ref().model());
    }
    output.notice(
        "thread "
            + place.thread()
            + ", model "
            + model.named()
            + " ("
            + (replaced ? "recorded" : choice.from().title())
            + ")");
  }

  private static boolean isReplaced(ModelChoice choice, OpenModel model) {
    return model.source().equals(OpenModel.RECORDED) && choice.from() == ModelChoice.From.STANDARD;
  }
}
