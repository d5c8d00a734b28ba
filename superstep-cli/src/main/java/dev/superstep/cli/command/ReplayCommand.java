package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.mcp.FolderTools;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.NamedModels;
import dev.superstep.cli.run.LoadedProgram;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.cli.view.RunManifest;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.json.Json;
import dev.superstep.model.ModelRef;
import dev.superstep.program.ProgramContext;
import dev.superstep.run.Divergence;
import dev.superstep.run.ReplayResult;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep replay`.
@Command(
    name = "replay",
    header = "Replays a saved thread offline, and reports the differences.",
    description = {
      "Model replies, results of tools and other steps, answers, times, random numbers and",
      "ids are those of the recorded run; nothing is written to the store. Exit code 4 if a",
      "superstep differs. This runs the code of the program that the store names: use only",
      "stores that you trust."
    },
    footer = {
      "  superstep replay monday",
      "  superstep replay monday --program ../triage-changed",
      "  superstep replay monday --from CHECKPOINT --json"
    })
final class ReplayCommand extends ThreadCommand {
  private static final String NOT_RECORDED = "Nothing of it is recorded.";

  @Option(
      names = "--program",
      paramLabel = "DIR",
      description = "The folder of the program; by default the program that ran the thread.")
  private @Nullable String program;

  @Option(
      names = "--from",
      paramLabel = "CHECKPOINT",
      description = "The first checkpoint, as listed by `threads history`.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "CHECKPOINT", description = "The last checkpoint.")
  private @Nullable String to;

  @Option(names = "--json", description = "Write JSON.")
  private boolean json;

  ReplayCommand(Host host) {
    super(host);
  }

  /// A replay, as `--json` prints it.
  private record Line(
      String thread,
      int supersteps,
      boolean equal,
      List<String> uncompared,
      Optional<Divergence> divergence) {}

  @Override
  int on(ThreadStore store) throws InterruptedException {
    var manifest = RunManifest.of(thread, store.head().checkpoint().metadata());
    var path = program == null ? manifest.program() : host.path(program);
    var text = RagFolder.find(path);
    if (text.isPresent()) return replay(text.get(), manifest, store);
    var folder = ProgramFolder.open(path);
    try (var loaded = LoadedProgram.of(folder)) {
      var model = ModelOpener.none(ModelRef.parse(manifest.model()), NOT_RECORDED);
      var context =
          new ProgramContext(
              model, manifest.output(), () -> FolderTools.unconnected(host, folder.root()));
      return end(store, replay(loaded.program().graph(context), store).run());
    }
  }

  private int replay(RagFolder folder, RunManifest manifest, ThreadStore store)
      throws InterruptedException {
    var named = manifest.text().map(RunManifest.TextGraph::graph).orElse("");
    var read = TextProgram.read(folder, named);
    try (var text = read.unconnected(host, NamedModels.none(folder, read.models(), NOT_RECORDED))) {
      return end(store, replay(text.graph(), store).run());
    }
  }

  private int end(ThreadStore store, ReplayResult replayed) {
    print(store, replayed);
    return replayed.divergence().isEmpty() ? ExitCodes.COMPLETED : ExitCodes.FAILED;
  }

  private Replay replay(Graph graph, ThreadStore store) {
    var replay = Replay.of(graph, store.store()).thread(thread);
    if (from != null) replay = replay.from(from);
    return to == null ? replay : replay.to(to);
  }

  private void print(ThreadStore store, ReplayResult found) {
    var line =
        new Line(
            thread, found.supersteps(), found.isEqual(), found.uncompared(), found.divergence());
    store.print(json ? Json.of(line).text() : found.text().stripTrailing());
  }
}
