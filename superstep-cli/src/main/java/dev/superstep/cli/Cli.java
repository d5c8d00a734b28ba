package dev.superstep.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line: which command, with which arguments. Loads no more than the command needs.
final class Cli {
  private static final int HELP_COLUMNS = 100;

  /// Commands whose standard output is JSON and nothing else, if that is wanted.
  private static final Set<String> WITH_JSON =
      Set.of(
          "superstep run",
          "superstep resume",
          "superstep events",
          "superstep replay",
          "superstep threads list",
          "superstep threads show",
          "superstep threads history");

  private final Host host;
  private final CommandLine line;

  private Cli(Host host) {
    this.host = host;
    this.line =
        new CommandLine(new RootCommand())
            .addSubcommand(new RunCommand(host))
            .addSubcommand(new ResumeCommand(host))
            .addSubcommand(new EventsCommand(host))
            .addSubcommand(new ReplayCommand(host))
            .addSubcommand(
                new CommandLine(new ThreadsCommand())
                    .addSubcommand(new ThreadsListCommand(host))
                    .addSubcommand(new ThreadsShowCommand(host))
                    .addSubcommand(new ThreadsHistoryCommand(host))
                    .addSubcommand(new ThreadsForkCommand(host))
                    .addSubcommand(new ThreadsCopyCommand(host))
                    .addSubcommand(new ThreadsRewindCommand(host))
                    .addSubcommand(new ThreadsDeleteCommand(host))
                    .addSubcommand(new ThreadsPruneCommand(host))
                    .addSubcommand(new ThreadsCancelCommand(host)))
            .addSubcommand(new GraphCommand(host))
            .addSubcommand(
                new CommandLine(new ModelsCommand())
                    .addSubcommand(new ModelsListCommand(host))
                    .addSubcommand(new ModelsPullCommand(host)));
    line.setOut(new PrintWriter(host.terminal().out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(host.terminal().err(), true, StandardCharsets.UTF_8))
        .setUsageHelpWidth(HELP_COLUMNS)
        .setParameterExceptionHandler(this::unusable)
        .setExecutionExceptionHandler(
            (error, command, parsed) -> output(command, parsed.originalArgs()).failed(error));
    spaceOut(line);
  }

  /// Runs one command.
  ///
  /// @return the exit code
  static int run(Host host, String... arguments) {
    int exit = new Cli(host).line.execute(arguments);
    host.terminal().out().flush();
    host.terminal().err().flush();
    return exit;
  }

  private static void spaceOut(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .synopsisHeading("%nUsage: ")
        .descriptionHeading("%n")
        .parameterListHeading("%n")
        .optionListHeading("%n")
        .commandListHeading("%nCommands:%n");
    command.getSubcommands().values().forEach(Cli::spaceOut);
  }

  private int unusable(ParameterException error, String[] arguments) {
    var command = error.getCommandLine();
    var what = SafeText.line(String.valueOf(error.getMessage())).replaceFirst("^Error: ", "");
    var help = " -- see " + command.getCommandSpec().qualifiedName() + " --help";
    var failure = new Failure(Exit.USAGE, "usage", what + nearest(error) + help);
    output(command, List.of(arguments)).tell(failure, Optional.empty());
    return failure.exit();
  }

  private static String nearest(ParameterException error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) return "";
    var near = unmatched.getSuggestions();
    return near.isEmpty() ? "" : " (did you mean " + near.getFirst() + "?)";
  }

  /// The output of a command that got no further than its arguments, or that runs nothing.
  private Output output(CommandLine command, List<String> arguments) {
    boolean debug = arguments.contains("--debug");
    boolean knowsJson = WITH_JSON.contains(command.getCommandSpec().qualifiedName());
    return knowsJson && arguments.contains("--json")
        ? new JsonOutput(host.terminal(), debug)
        : new PlainOutput(host.terminal(), debug);
  }
}
