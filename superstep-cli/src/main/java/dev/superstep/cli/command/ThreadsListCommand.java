package dev.superstep.cli.command;

import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.view.ThreadLine;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `superstep threads list`.
@Command(
    name = "list",
    header = "Lists threads, the one that was written last first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep threads list",
      "  superstep threads list --graph triage --limit 5 --json"
    })
final class ThreadsListCommand extends HostCommand {

  @Option(names = "--graph", paramLabel = "NAME", description = "Only those of this graph.")
  private @Nullable String graph;

  @Option(
      names = "--after",
      paramLabel = "THREAD",
      description = "Go on after this one, which was the last one listed.")
  private @Nullable String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "At most so many (${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--json", description = "Write JSON, one object a line.")
  private boolean json;

  @Mixin private StoreOptions options = new StoreOptions();

  ThreadsListCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    StoreOptions.checkLimit(limit);
    var place = ThreadLocation.of(host, "", options.store());
    // Opening would make the file.
    if (!Files.exists(place.store())) return ExitCodes.COMPLETED;
    try (var store = SqliteCheckpointer.open(place.store())) {
      var query = ThreadQuery.newest(limit);
      if (graph != null) query = query.of(graph);
      if (after != null) query = query.after(after);
      var table = ThreadLine.table();
      for (var head : Threads.in(store).list(query)) {
        var line = ThreadLine.of(head);
        if (json) host.terminal().out().println(Json.of(line).text());
        else line.addTo(table);
      }
      table.print(host.terminal());
    }
    return ExitCodes.COMPLETED;
  }
}
