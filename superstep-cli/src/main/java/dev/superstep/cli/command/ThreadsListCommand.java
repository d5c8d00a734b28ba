package dev.superstep.cli.command;

import dev.superstep.checkpoint.ThreadQuery;
import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.command.base.StoreOptions;
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
    header = "Lists threads, most recently written first.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep threads list",
      "  superstep threads list --graph triage --limit 5 --json"
    })
final class ThreadsListCommand extends HostCommand {

  @Option(names = "--graph", paramLabel = "NAME", description = "Only threads of this graph.")
  private @Nullable String graph;

  @Option(
      names = "--after",
      paramLabel = "THREAD",
      description = "Continue the list after this one.")
  private @Nullable String after;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "The maximum number of entries (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--json", description = "Write JSON, one object per line.")
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
