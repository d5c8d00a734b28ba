package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.EditorNames;
import dev.superstep.language.server.RagLanguageServer;
import picocli.CommandLine.Command;

/// `superstep rag lsp`.
@Command(
    name = "lsp",
    header = "Runs a language server (LSP) for an editor, on stdin and stdout.",
    description = {
      "Editors start this command for diagnostics, completion, navigation and formatting.",
      "It uses the names in the superstep.toml next to a file. Exit code 0 after `shutdown`",
      "and `exit`, otherwise 1."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  superstep rag lsp"})
final class RagLspCommand extends HostCommand {
  RagLspCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    return RagLanguageServer.serve(System.in, host.terminal().out(), new EditorNames(host));
  }
}
