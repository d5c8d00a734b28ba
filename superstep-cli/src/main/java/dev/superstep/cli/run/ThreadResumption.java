package dev.superstep.cli.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelChoice;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.RunFlags;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.cli.view.SuppliedAnswers;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.program.ProgramContext;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The work of `superstep resume`.
public final class ThreadResumption {
  /// The graph of the terminal workflow, whose threads another command resumes. The metadata of a
  /// thread of `rlm ask`: the file of its text.
  public static final String RLM_CONTEXT = "superstep.rlm.context";

  /// The metadata of a thread of `repl`: the file of what its cells may call, or empty.
  public static final String REPL_ALLOW = "superstep.repl.allow";

  /// The metadata of a thread of `chat` with a plain agent: the URL of its model.
  public static final String CHAT = "superstep.chat";

  private static final Set<String> SAID = Set.of(OpenModel.RECORDED, OpenModel.WRITTEN);

  private final Host host;
  private final ThreadLocation place;
  private final RunFlags flags;
  private final Optional<Path> results;
  private final boolean isChangeAccepted;
  private final Output output;

  private ThreadResumption(Host host, String thread, Changes changes, RunFlags flags) {
    this.host = host;
    this.isChangeAccepted = changes.isTextAccepted();
    var results = changes.results();
    var place = ThreadLocation.of(host, thread, flags.store());
    // Named again, since a run that ends before the next checkpoint does not keep it.
    this.place = results.map(folder -> place.with("--output", folder)).orElse(place);
    this.results = results.map(host::path);
    this.flags = flags;
    this.output = Output.of(host.terminal(), flags);
  }

  /// Changes that the user wants.
  ///
  /// @param results where results go from now on, if not where they went before
  /// @param isTextAccepted whether a text that has changed is run as it is now
  public record Changes(Optional<String> results, boolean isTextAccepted) {}

  /// Resumes a stored thread.
  ///
  /// @return the exit code
  public static int run(Host host, String thread, Changes changes, RunFlags flags) {
    var work = new ThreadResumption(host, thread, changes, flags);
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
      var before = RunManifest.of(place.thread(), metadata(store));
      var manifest = results.map(before::withOutput).orElse(before);
      // Said before any of its code runs: the store names the folder, not the user.
      output.notice("thread " + place.thread() + " of " + manifest.program());
      if (manifest.text().isPresent()) return resume(manifest, manifest.text().get(), store, given);
      var folder = ProgramFolder.open(manifest.program());
      folder.notices().forEach(output::notice);
      try (var program = LoadedProgram.of(folder);
          var tools = tools(folder.root());
          var model = model(manifest, folder, program.loader())) {
        var now = manifest.withModel(model);
        output.notice("model " + named(model));
        var context = new ProgramContext(model.model(), now.output(), tools::tools);
        var graph = program.program().graph(context);
        boolean isAgreed = !now.isReplaced() && ModelChoice.needsTrust(model.named());
        var trusted = isAgreed ? place.trusting(model.named().url()) : place;
        var job =
            new ThreadRun.Job(
                trusted, now, program.program(), graph, store, flags, ThreadRun.Rules.NONE);
        var asking =
            flags.asks(host.terminal())
                ? new QuestionPrompt(program.program(), host.terminal())
                : null;
        return new ThreadRun(job, output, new AnswerSource(given, asking), host.stop())
            .resume(host);
      }
    }
  }

  private int resume(
      RunManifest manifest,
      RunManifest.TextGraph graph,
      Checkpointer store,
      SuppliedAnswers given) {
    var folder =
        RagFolder.find(manifest.program())
            .orElseThrow(() ->
                new UsageError(
                    "program.missing-folder",
                    "There is no text " + manifest.program() + " any more. Put it back."));
    var text = TextProgram.read(folder, graph.graph());
    var models =
        NamedModels.forResume(host, folder, text.models(), flags.model(), manifest.model());
    try (var tools = tools(folder.root());
        var program = text.bound(models, tools::having)) {
      var trusted = models.trusted().map(place::trusting).orElse(place);
      TextRuns.checkSame(trusted, manifest, program, isChangeAccepted);
      program.reach().forEach(output::notice);
      var now = TextRuns.manifest(program, manifest.input(), manifest.output());
      var thread = new TextRuns.StoredThread(trusted, now, store, given);
      return TextRuns.of(host, thread, program, flags, output).resume(host);
    }
  }

  private FolderTools tools(Path folder) {
    return FolderTools.of(host, folder, flags.asks(host.terminal()), output::notice);
  }

  private Map<String, String> metadata(Checkpointer store) {
    var checkpoint =
        store.latest(lineage()).orElseThrow(() -> ThreadStore.unknown(place, store)).checkpoint();
    var kind = ThreadKind.of(checkpoint);
    if (kind.isPresent()) {
      throw new UsageError(
          kind.get().code(),
          "Thread `%s` is %s. Go on with it: %s%s %s"
              .formatted(
                  place.thread(),
                  kind.get().what(),
                  host.command(),
                  kind.get().resume(),
                  ShellText.word(place.thread())));
    }
    return checkpoint.metadata();
  }

  private Lineage lineage() {
    try {
      return Lineage.of(place.thread());
    } catch (IllegalArgumentException _) {
      throw place.unknown();
    }
  }

  private OpenModel model(RunManifest manifest, ProgramFolder folder, ClassLoader loader) {
    var opening = new ModelOpener(host, loader);
    if (flags.model().isEmpty() && manifest.isReplaced()) {
      return opening.replacedBefore(manifest.source(), folder, manifest.input());
    }
    return opening.open(
        ModelChoice.forResume(host, flags.model(), manifest.model()), folder, manifest.input());
  }

  private String named(OpenModel model) {
    var how = flags.model().isPresent() ? "--model" : "as before";
    return model.named()
        + " ("
        + (SAID.contains(model.source()) ? model.source() + ", " : "")
        + how
        + ")";
  }
}
