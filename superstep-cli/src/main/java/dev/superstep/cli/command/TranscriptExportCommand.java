package dev.superstep.cli.command;

import dev.superstep.cli.conversation.TranscriptRun;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep transcript export`.
@Command(
    name = "export",
    header = "Adds to a file what it does not have yet of a conversation.",
    description = "One JSON object a line, without secrets, each chained to the line before.")
final class TranscriptExportCommand extends HostCommand {
  @Parameters(index = "0", paramLabel = "ID", description = "The conversation.")
  private String conversation = "";

  @Parameters(index = "1", paramLabel = "FILE", description = "The file, which may be new.")
  private String file = "";

  TranscriptExportCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return TranscriptRun.export(host, conversation, file);
  }
}
