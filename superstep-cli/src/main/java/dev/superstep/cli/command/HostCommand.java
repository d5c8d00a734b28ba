package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// A command that works on the machine around it.
@Command(mixinStandardHelpOptions = true, versionProvider = RootCommand.Version.class)
abstract class HostCommand implements Callable<Integer> {
  final Host host;

  HostCommand(Host host) {
    this.host = host;
  }
}
