package dev.superstep.cli.eval;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The work of `superstep eval add`: makes a case of a recorded thread.
public final class EvalAddRun {
  private EvalAddRun() {}

  /// The arguments of the command.
  ///
  /// @param dataset the name of the file in the folder `eval`, without its ending
  /// @param id of the case; that of the thread unless named
  /// @param store of the thread
  public record Request(
      String folder,
      String thread,
      String dataset,
      Optional<String> id,
      List<String> tags,
      Optional<String> model,
      Optional<String> store) {}

  /// Adds a case to a dataset.
  public static void run(Host host, Request request) {
    if (!request.dataset().matches("[A-Za-z0-9._-]{1,100}")) {
      throw new UsageError(
          "usage",
          "--dataset must have 1 to 100 letters, digits, `.`, `_` or `-`, was `"
              + request.dataset()
              + "`.");
    }
    try (var threads = ThreadStore.open(host, request.thread(), request.store());
        var target =
            EvalTarget.open(host, host.path(request.folder()), request.model(), Optional.empty())) {
      var _ = threads.head();
      var recorded = target.recorded(threads.store(), threads.thread());
      var item = changed(recorded, request);
      var file = target.root().resolve(EvalConfig.FOLDER).resolve(request.dataset() + ".jsonl");
      add(file, item);
      new PlainOutput(host.terminal(), false)
          .notice("case `" + item.id() + "` is in " + file + "; look at what it expects");
      threads.print(new Dataset(List.of(item)).text().stripTrailing());
    }
  }

  private static Case changed(Case recorded, Request request) {
    var id = request.id().orElse(recorded.id());
    var item =
        new Case(
            id,
            recorded.input(),
            recorded.expected(),
            recorded.tools(),
            recorded.tags(),
            recorded.metadata(),
            recorded.answers(),
            recorded.ending());
    return item.withTags(request.tags().toArray(String[]::new));
  }

  private static void add(Path file, Case item) {
    try {
      Files.createDirectories(file.getParent());
    } catch (IOException e) {
      throw new UncheckedIOException("Folder " + file.getParent() + " cannot be made.", e);
    }
    Dataset.append(file, item);
  }
}
