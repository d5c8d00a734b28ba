package dev.superstep.cli.command;

import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadStore;
import dev.superstep.cli.view.CheckpointLine;
import dev.superstep.json.Json;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep threads history`.
@Command(
    name = "history",
    header = "Lists the checkpoints of a thread, newest first.",
    description = "`fork` and `rewind` start from a checkpoint.",
    footer = {
      "  superstep threads history monday",
      "  superstep threads history monday --limit 100 --json"
    })
final class ThreadsHistoryCommand extends ThreadCommand {
  @Option(
      names = "--before",
      paramLabel = "CHECKPOINT",
      description = "Continue the list after this one.")
  private @Nullable String before;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "The maximum number of entries (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--json", description = "Write JSON, one object per line.")
  private boolean json;

  ThreadsHistoryCommand(Host host) {
    super(host);
  }

  @Override
  void check() {
    StoreOptions.checkLimit(limit);
  }

  @Override
  int on(ThreadStore store) {
    store.head();
    var table = CheckpointLine.table();
    for (var at : store.threads().history(thread, Optional.ofNullable(before), limit)) {
      var line = CheckpointLine.of(at);
      if (json) store.print(Json.of(line).text());
      else line.addTo(table);
    }
    table.print(host.terminal());
    return ExitCodes.COMPLETED;
  }
}
