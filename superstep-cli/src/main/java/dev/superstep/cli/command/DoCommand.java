package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.DoRun;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep do`.
@Command(
    name = "do",
    header = "Plans a task, and runs commands that you approve.",
    description = {
      "A model makes a plan and proposes commands. Each command is parsed, rated and shown",
      "with its effects; it runs in a sandbox after you approve it. Standard input is read",
      "as data if it is not a terminal."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep do 'find the ten largest files here'",
      "  git log --oneline | superstep do 'write a changelog from this into NEWS.md'",
      "  superstep do --plan-only 'update the copyright years'",
      "  superstep do --no-input --max-risk low --json 'count lines of code by language'",
      "  superstep do --resume 01981f6e-8a41-7c3f-9d7e-1b2c3d4e5f60",
      "",
      "Where nobody can be asked, plans are taken as they are, and the first command that needs",
      "a person ends the run with exit code 3."
    })
final class DoCommand extends HostCommand {
  @Parameters(paramLabel = "PROMPT", arity = "0..*", description = "The task, in plain words.")
  private List<String> words = List.of();

  @Option(
      names = "--resume",
      paramLabel = "ID",
      description = "Resume a conversation, also after a crash.")
  private String resumed = "";

  @Option(names = "--plan-only", description = "Print the plan and stop.")
  private boolean planOnly;

  @Option(names = "--print-command", description = "Print the first command and stop.")
  private boolean printCommand;

  @Option(names = "--dry-run", description = "Print the commands and run none of them.")
  private boolean dryRun;

  @Option(names = "--no-input", description = "Never ask.")
  private boolean noInput;

  @Option(
      names = "--json",
      description = {
        "Write events to standard output, one JSON object per line; the last one has the type",
        "`result` or `error`."
      })
  private boolean json;

  @Mixin private ConversationOptions options = new ConversationOptions();

  DoCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    var request = new DoRun.Request(String.join(" ", words), resumed, extent());
    return DoRun.run(host, options.options(json, !noInput), request);
  }

  private String extent() {
    var wanted = new ArrayList<String>();
    if (planOnly) wanted.add("plan");
    if (printCommand) wanted.add("command");
    if (dryRun) wanted.add("dry");
    if (wanted.size() > 1) {
      throw new UsageError(
          "usage", "Only one of --plan-only, --print-command and --dry-run can be chosen.");
    }
    return wanted.isEmpty() ? "run" : wanted.getFirst();
  }
}
