package dev.superstep.cli.command.mcp;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// A command on the MCP servers for a folder.
@Command(footerHeading = "%nExamples:%n")
abstract class McpCommand extends HostCommand {
  static final String FOLDER = "The folder whose servers are meant; by default the current one.";
  static final String HERE = ".";

  @Option(names = "--debug", description = "Show stack traces.")
  boolean debug;

  McpCommand(Host host) {
    super(host);
  }
}
