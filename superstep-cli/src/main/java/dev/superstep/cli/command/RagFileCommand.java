package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.json.Json;
import dev.superstep.language.check.Compilation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// A command on files of graphs as text.
@Command(footerHeading = "%nExamples:%n")
abstract class RagFileCommand extends HostCommand {
  @Option(names = "--json", description = "Write JSON, one object per line.")
  boolean json;

  @Option(names = "--debug", description = "Show stack traces.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, where all errors are told
  private boolean debug;

  RagFileCommand(Host host) {
    super(host);
  }

  /// Prints text that may come from a file.
  void print(String text) {
    host.terminal().out().print(SafeText.of(text));
    host.terminal().out().flush();
  }

  /// Prints a line of JSON.
  void printLine(String line) {
    host.terminal().out().println(line);
    host.terminal().out().flush();
  }

  /// Prints what was found in a source.
  void printFindings(Compilation compiled) {
    if (json) printLine(Json.parse(compiled.json()).text());
    else print(compiled.text());
  }
}
