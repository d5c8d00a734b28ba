package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.EditorNames;
import dev.superstep.language.server.RagLanguageServer;
import picocli.CommandLine.Command;

/// `superstep rag lsp`.
@Command(
    name = "lsp",
    header = "Serves an editor by the Language Server Protocol, on stdin and stdout.",
    description = {
      "Editors start it: findings while somebody types, completion, names, layout.",
      "Knows the names that the superstep.toml beside a text gives.",
      "Ends with 0 after `shutdown` and `exit`, else with 1."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  superstep rag lsp"})
final class RagLspCommand extends HostCommand {
  RagLspCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    return RagLanguageServer.serve(System.in, host.terminal().out(), new EditorNames());
  }
}
