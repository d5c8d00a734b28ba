package dev.superstep.cli.command.base;

import dev.superstep.cli.host.BuildVersion;
import dev.superstep.cli.host.Host;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/// A command that works on the machine around it.
@Command(mixinStandardHelpOptions = true, versionProvider = HostCommand.Version.class)
public abstract class HostCommand implements Callable<Integer> {
  protected final Host host;

  protected HostCommand(Host host) {
    this.host = host;
  }

  /// The version of this build.
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
      return new String[] {BuildVersion.line()};
    }
  }
}
