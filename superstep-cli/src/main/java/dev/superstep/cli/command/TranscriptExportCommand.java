package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.TranscriptRun;
import dev.superstep.cli.conversation.TranscriptRun.Format;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep transcript export`.
@Command(
    name = "export",
    header = "Exports a conversation to a file, without secrets.",
    description = {
      "`jsonl`: one JSON object per line, in a hash chain; missing lines are appended to an",
      "existing file. `markdown`: a readable page. `asciicast`: a recording for terminal",
      "players. Both replace an existing file."
    })
final class TranscriptExportCommand extends HostCommand {
  @Parameters(index = "0", paramLabel = "ID", description = "The id of the conversation.")
  private String conversation = "";

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      description = "The file to write; `-` for standard output.")
  private String file = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "jsonl (default), markdown or asciicast.")
  private String format = "jsonl";

  TranscriptExportCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var wanted =
        switch (format) {
          case "jsonl" -> Format.JSONL;
          case "markdown" -> Format.MARKDOWN;
          case "asciicast" -> Format.ASCIICAST;
          default ->
              throw new UsageError(
                  "usage", "--format must be jsonl, markdown or asciicast, was `" + format + "`.");
        };
    return TranscriptRun.export(host, conversation, file, wanted);
  }
}
