package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.RunFlags;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.program.ProgramContext;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Path;
import java.util.Optional;

/// A run of a program on new input: the work of `superstep run`.
public final class ProgramRun {
  static final String OUTPUT = "superstep-out";

  private final Host host;
  private final Request request;
  private final Output output;

  private ProgramRun(Host host, Request request) {
    this.host = host;
    this.request = request;
    this.output = Output.of(host.terminal(), request.flags());
  }

  /// The arguments of the command.
  ///
  /// @param graph the graph of a text; empty if none is named
  public record Request(
      String folder,
      Optional<String> input,
      Optional<String> output,
      Optional<String> thread,
      String graph,
      RunFlags flags) {}

  /// Runs the program of a folder on new input.
  ///
  /// @return the exit code
  public static int run(Host host, Request request) {
    var work = new ProgramRun(host, request);
    try {
      return work.run();
    } catch (RuntimeException | Error e) {
      return work.output.failed(e);
    }
  }

  private int run() {
    var path = host.path(request.folder());
    var text = RagFolder.find(path);
    if (text.isPresent()) return run(TextProgram.read(text.get(), request.graph()));
    if (!request.graph().isEmpty()) {
      throw new UsageError("usage", "--graph is for graphs as text; this is a program in Java.");
    }
    return run(ProgramFolder.open(path));
  }

  private int run(ProgramFolder folder) {
    folder.notices().forEach(output::notice);
    var source = ProgramInput.of(host, request.input(), folder);
    var thread = thread(folder.root());
    var given = request.flags().given(host.terminal());
    try (var program = LoadedProgram.of(folder);
        var tools = tools(folder.root())) {
      var graphInput = source.of(program.program());
      var choice = ModelChoice.forRun(host, request.flags().model(), folder.model());
      var opening = new ModelOpener(host, program.loader());
      try (var model = opening.open(choice, folder, source.path())) {
        var place = place(thread, choice);
        try (var store = SqliteCheckpointer.open(place.store())) {
          checkNew(store, place);
          ModelNotices.print(output::notice, host, place.thread(), choice, model);
          var manifest =
              new RunManifest(
                      folder.root(), source.path(), outputFolder(thread), "", "", Optional.empty())
                  .withModel(model);
          var context = new ProgramContext(model.model(), manifest.output(), tools::tools);
          var graph = program.program().graph(context);
          var job =
              new ThreadRun.Job(
                  place,
                  manifest,
                  program.program(),
                  graph,
                  store,
                  request.flags(),
                  ThreadRun.Rules.NONE);
          var asking =
              request.flags().asks(host.terminal())
                  ? new QuestionPrompt(program.program(), host.terminal())
                  : null;
          return new ThreadRun(job, output, new AnswerSource(given, asking), host.stop())
              .start(graphInput, host);
        }
      }
    }
  }

  private int run(TextProgram.Read text) {
    var thread = thread(text.folder().place());
    var given = request.flags().given(host.terminal());
    var models = NamedModels.forRun(host, text.folder(), text.models(), request.flags().model());
    try (var tools = tools(text.folder().root());
        var program = text.bound(models, tools::having)) {
      program.checkWithinLimits();
      var input = textInput(program);
      var graphInput = input.isPresent() ? program.input(input.get()) : program.noInput();
      var named = ThreadLocation.of(host, thread, request.flags().store());
      var place = models.trusted().map(named::trusting).orElse(named);
      try (var store = SqliteCheckpointer.open(place.store())) {
        checkNew(store, place);
        output.notice("thread " + place.thread() + ", graph " + program.name());
        program.reach().forEach(output::notice);
        var manifest = TextRuns.manifest(program, input.orElse(Path.of("")), outputFolder(thread));
        var work = new TextRuns.StoredThread(place, manifest, store, given);
        return TextRuns.of(host, work, program, request.flags(), output).start(graphInput, host);
      }
    }
  }

  private FolderTools tools(Path folder) {
    return FolderTools.of(host, folder, request.flags().asks(host.terminal()), output::notice);
  }

  private Optional<Path> textInput(TextProgram program) {
    var named = request.input().map(host::path).or(program.folder()::input);
    if (named.isEmpty() && !program.needsInput()) return Optional.empty();
    return Optional.of(ProgramInput.existing(named, "under [graph] in " + ProgramFolder.FILE));
  }

  private String thread(Path program) {
    var name = request.thread().orElseGet(() -> ThreadNames.fresh(program, host.chance()));
    return ThreadNames.checked(name);
  }

  private ThreadLocation place(String thread, ModelChoice choice) {
    var place = ThreadLocation.of(host, thread, request.flags().store());
    return ModelChoice.needsTrust(choice.ref()) ? place.trusting(choice.ref().url()) : place;
  }

  private Path outputFolder(String thread) {
    return request.output().map(host::path).orElseGet(() -> output(host, thread));
  }

  /// The folder of a thread's results, unless the user names another.
  public static Path output(Host host, String thread) {
    return host.folder().resolve(OUTPUT).resolve(ThreadNames.inFile(thread));
  }

  private static void checkNew(Checkpointer store, ThreadLocation place) {
    var latest = store.latest(Lineage.of(place.thread()));
    if (latest.isEmpty()) return;
    if (latest.get().checkpoint().progress().next().isEmpty()) {
      throw new UsageError(
          "thread.exists",
          "Thread `" + place.thread() + "` has run to its end. Name another with --thread.");
    }
    throw new UsageError(
        "thread.unfinished",
        "Thread `%s` has work left, so it takes no new input. Go on with it: %s"
            .formatted(place.thread(), place.resume()));
  }
}
