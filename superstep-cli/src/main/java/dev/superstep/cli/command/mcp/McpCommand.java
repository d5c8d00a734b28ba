package dev.superstep.cli.command.mcp;

import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.Host;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/// A command on the MCP servers for a folder.
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = McpCommand.Version.class,
    footerHeading = "%nExamples:%n")
abstract class McpCommand implements Callable<Integer> {
  static final String FOLDER = "The folder whose servers are meant; by default the current one.";
  static final String HERE = ".";

  final Host host;

  @Option(names = "--debug", description = "Show stack traces.")
  boolean debug;

  McpCommand(Host host) {
    this.host = host;
  }

  /// The version of this build.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      return new String[] {BuildVersion.line()};
    }
  }
}
