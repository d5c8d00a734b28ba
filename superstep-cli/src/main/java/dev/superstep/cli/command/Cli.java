package dev.superstep.cli.command;

import dev.superstep.cli.command.eval.EvalAddCommand;
import dev.superstep.cli.command.eval.EvalCommand;
import dev.superstep.cli.command.mcp.McpCommands;
import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.view.ErrorReport;
import dev.superstep.cli.view.JsonOutput;
import dev.superstep.cli.view.Output;
import dev.superstep.cli.view.PlainOutput;
import dev.superstep.event.Redaction;
import dev.superstep.terminal.privacy.SecretSources;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// The command line. Loads no more than the named command needs.
public final class Cli {
  private static final int HELP_COLUMNS = 100;
  private static final int HELP_COLUMNS_MIN = 55;
  private static final String COLOR = "--color";

  /// Commands whose standard output is JSON and nothing else, if that is wanted.
  private static final Set<String> WITH_JSON =
      Set.of(
          "superstep run",
          "superstep chat",
          "superstep resume",
          "superstep do",
          "superstep events",
          "superstep replay",
          "superstep mcp list",
          "superstep mcp tools",
          "superstep mcp call",
          "superstep mcp resources",
          "superstep mcp prompts",
          "superstep eval",
          "superstep threads list",
          "superstep threads show",
          "superstep threads history",
          "superstep rag check",
          "superstep rag format",
          "superstep rag diff",
          "superstep rag print",
          "superstep rag explain");

  private final Host host;
  private final CommandLine line;

  private Cli(Host host, List<String> arguments) {
    this.host = host;
    this.line = command(new RootCommand(), all(), arguments);
    line.setOut(new HelpWriter(host.terminal()))
        .setErr(new PrintWriter(host.terminal().err(), true, StandardCharsets.UTF_8))
        .setUsageHelpWidth(helpColumns())
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(this::unusable)
        .setExecutionExceptionHandler((error, command, parsed) ->
            output(command, parsed.originalArgs()).failed(error, this::withoutSecrets));
    spaceOut(line);
  }

  /// Runs one command.
  ///
  /// @return the exit code
  public static int run(Host host, String... typed) {
    var arguments = McpCommands.withServe(host, withHelp(typed));
    var colored = colors(arguments).map(host::colored).orElse(host);
    int exit = new Cli(colored, List.of(arguments)).line.execute(arguments);
    host.terminal().out().flush();
    host.terminal().err().flush();
    return exit;
  }

  /// `help` and `help COMMAND` are other words for `--help`.
  private static String[] withHelp(String... typed) {
    if (typed.length == 0 || !typed[0].equals("help")) return typed;
    var words = new ArrayList<>(List.of(typed).subList(1, typed.length));
    words.add("--help");
    return words.toArray(String[]::new);
  }

  /// The option for colours, read before all others since commands are made for a display. A value
  /// that is none is refused when all arguments are read.
  private static Optional<Display.Colors> colors(String... arguments) {
    for (int i = 0; i < arguments.length && !arguments[i].equals("--"); i++) {
      var value = "";
      if (arguments[i].startsWith(COLOR + "=")) value = arguments[i].substring(COLOR.length() + 1);
      if (arguments[i].equals(COLOR) && i + 1 < arguments.length) value = arguments[i + 1];
      for (var when : Display.Colors.values()) {
        if (when.name().equalsIgnoreCase(value)) return Optional.of(when);
      }
    }
    return Optional.empty();
  }

  /// An error may quote what a command printed, or a variable.
  private String withoutSecrets(String text) {
    return SecretSources.of(host.variables()).redactor().text(text);
  }

  private Map<String, Function<List<String>, Object>> all() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("new", _ -> new NewCommand(host));
    all.put("chat", _ -> new ChatCommand(host));
    all.put("run", _ -> new RunCommand(host));
    all.put("resume", _ -> new ResumeCommand(host));
    all.put("serve", _ -> new ServeCommand(host));
    all.put("acp", _ -> new AcpCommand(host));
    all.put("events", _ -> new EventsCommand(host));
    all.put("replay", _ -> new ReplayCommand(host));
    all.put("eval", rest -> command(new EvalCommand(host), eval(), rest));
    all.put("threads", rest -> command(new CommandGroups.Threads(), threads(), rest));
    all.put("graph", _ -> new GraphCommand(host));
    all.put("rag", rest -> command(new CommandGroups.Rag(), rag(), rest));
    all.put("rlm", rest -> command(new CommandGroups.Rlm(), rlm(), rest));
    all.put("repl", _ -> new ReplCommand(host));
    all.put("do", _ -> new DoCommand(host));
    all.put("shell", _ -> new ShellCommand(host));
    all.put("sessions", rest -> command(new CommandGroups.Sessions(), sessions(), rest));
    all.put("policy", rest -> command(new CommandGroups.Policy(), policy(), rest));
    all.put("consent", rest -> command(new CommandGroups.Consent(), consent(), rest));
    all.put("config", rest -> command(new CommandGroups.Config(), config(), rest));
    all.put("undo", _ -> new UndoCommand(host));
    all.put("transcript", rest -> command(new CommandGroups.Transcript(), transcript(), rest));
    all.put("doctor", _ -> new DoctorCommand(host));
    all.put("mcp", rest -> command(new CommandGroups.Mcp(), McpCommands.of(host), rest));
    all.put("models", rest -> command(new CommandGroups.Models(), models(), rest));
    all.put("completion", _ -> new CompletionCommand(host, this::whole));
    for (var name : SourceTreeCommands.NAMES) all.put(name, _ -> SourceTreeCommands.of(name));
    return all;
  }

  private CommandLine whole() {
    return command(new RootCommand(), all(), List.of());
  }

  private Map<String, Function<List<String>, Object>> threads() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("list", _ -> new ThreadsListCommand(host));
    all.put("show", _ -> new ThreadsShowCommand(host));
    all.put("history", _ -> new ThreadsHistoryCommand(host));
    all.put("fork", _ -> new ThreadsForkCommand(host));
    all.put("copy", _ -> new ThreadsCopyCommand(host));
    all.put("rewind", _ -> new ThreadsRewindCommand(host));
    all.put("delete", _ -> new ThreadsDeleteCommand(host));
    all.put("break", _ -> new ThreadsBreakCommand(host));
    all.put("prune", _ -> new ThreadsPruneCommand(host));
    all.put("cancel", _ -> new ThreadsCancelCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> eval() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("add", _ -> new EvalAddCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> rag() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("check", _ -> new RagCheckCommand(host));
    all.put("format", _ -> new RagFormatCommand(host));
    all.put("diff", _ -> new RagDiffCommand(host));
    all.put("print", _ -> new RagPrintCommand(host));
    all.put("explain", _ -> new RagExplainCommand(host));
    all.put("lsp", _ -> new RagLspCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> rlm() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("ask", _ -> new RlmAskCommand(host));
    all.put("replay", _ -> new RlmReplayCommand(host));
    all.put("bench", _ -> new RlmBenchCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> policy() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("why", _ -> new PolicyWhyCommand(host));
    all.put("test", _ -> new PolicyTestCommand(host));
    all.put("trust", _ -> new PolicyTrustCommand(host));
    all.put("untrust", _ -> new PolicyUntrustCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> consent() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("list", _ -> new ConsentListCommand(host));
    all.put("withdraw", _ -> new ConsentWithdrawCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> config() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("explain", _ -> new ConfigExplainCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> sessions() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("list", _ -> new SessionsListCommand(host));
    all.put("prune", _ -> new SessionsPruneCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> transcript() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("export", _ -> new TranscriptExportCommand(host));
    all.put("verify", _ -> new TranscriptVerifyCommand(host));
    return all;
  }

  private Map<String, Function<List<String>, Object>> models() {
    var all = new LinkedHashMap<String, Function<List<String>, Object>>();
    all.put("list", _ -> new ModelsListCommand(host));
    all.put("pull", _ -> new ModelsPullCommand(host));
    return all;
  }

  /// Creates a command with subcommands. Reading what each takes is most of a start, so a
  /// subcommand that is named comes alone; help and mistakes need them all.
  ///
  /// @param inner the others by name, given the arguments behind that name
  private static CommandLine command(
      Object own, Map<String, Function<List<String>, Object>> inner, List<String> arguments) {
    var line = new CommandLine(own);
    var named = arguments.isEmpty() ? null : inner.get(arguments.getFirst());
    if (named != null) {
      return line.addSubcommand(named.apply(arguments.subList(1, arguments.size())));
    }
    for (var each : inner.values()) line.addSubcommand(each.apply(List.of()));
    return line;
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

  private int helpColumns() {
    int columns = host.terminal().display().columns().orElse(HELP_COLUMNS);
    // On narrower terminals, whole lines are wrapped later.
    return columns < HELP_COLUMNS_MIN ? HELP_COLUMNS : Math.min(columns, HELP_COLUMNS);
  }

  private CommandLine.Help.Ansi ansi() {
    var display = host.terminal().display();
    boolean isNarrow = display.columns().orElse(HELP_COLUMNS) < HELP_COLUMNS_MIN;
    return display.isColored() && !isNarrow ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
  }

  private int unusable(ParameterException error, String[] arguments) {
    var command = error.getCommandLine();
    var help = " -- see " + command.getCommandSpec().qualifiedName() + " --help";
    var what = SafeText.line(UsageMistake.of(error));
    var failure = new ErrorReport(ExitCodes.USAGE, "usage", what + help);
    output(command, List.of(arguments)).report(failure, Optional.empty());
    return failure.exit();
  }

  /// Returns the output of a command that failed on its arguments, or that runs nothing.
  private Output output(CommandLine command, List<String> arguments) {
    boolean debug = arguments.contains("--debug");
    boolean knowsJson = WITH_JSON.contains(command.getCommandSpec().qualifiedName());
    return knowsJson && arguments.contains("--json")
        ? new JsonOutput(host.terminal(), Redaction.payloads(), debug)
        : new PlainOutput(host.terminal(), debug);
  }
}
