package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.repl.ReplRequest;
import dev.superstep.cli.repl.ReplRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep repl`.
@Command(
    name = "repl",
    header = {"An interactive session of .ragsh, the language in which models write code."},
    description = {
      "Cells compute, and may call only what --allow grants. At a terminal, `help` lists",
      "the commands. On standard input, each complete statement is a cell: results go to",
      "standard output, errors to standard error; an error ends its cell, not the session,",
      "and the exit code is 4 if any cell failed. Each cell is saved: --resume continues."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep repl",
      "  superstep repl --allow session.toml --context book.txt",
      "  superstep repl count.ragsh --context book.txt",
      "  echo 'sum(range(10))' | superstep repl",
      "  superstep repl --resume repl-20261128-0715-k3f9"
    })
final class ReplCommand extends HostCommand {
  @Parameters(
      paramLabel = "SCRIPT",
      arity = "0..1",
      description = "A `.ragsh` file to run as one cell.")
  private @Nullable String script;

  @Option(
      names = "--allow",
      paramLabel = "FILE",
      description = {"Models, tools, agents and graphs that cells may call, with limits (TOML)."})
  private @Nullable String allowed;

  @Option(
      names = "--trust",
      paramLabel = "DIGEST",
      description = "Trust the file of --allow, if it has this digest, without asking.")
  private @Nullable String trust;

  @Option(
      names = "--context",
      paramLabel = "FILE",
      description = "A text for the variable `context`; it is never completely in memory.")
  private @Nullable String context;

  @Option(names = "--resume", paramLabel = "THREAD", description = "Resume a session.")
  private @Nullable String resumed;

  @Option(
      names = "--consent",
      description = "Agree to send text of this folder to the vendors of the models.")
  private boolean consents;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = {
        "The file with the threads: by default $SUPERSTEP_STORE, or else",
        ".superstep/superstep.db in the current directory."
      })
  private @Nullable String store;

  @Option(
      names = "--trajectory",
      paramLabel = "FOLDER",
      description = "Write the cells to this folder; see `superstep rlm replay`.")
  private @Nullable String trajectory;

  @Option(names = "--plain", description = "Only append lines: for screen readers.")
  private boolean plain;

  @Option(names = "--debug", description = "Show stack traces.")
  private boolean debug;

  ReplCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    if (trust != null && allowed == null) {
      throw new UsageError("usage", "--trust is about the file of --allow, which is missing.");
    }
    return ReplRun.run(
        host,
        new ReplRequest(
            Optional.ofNullable(script),
            Optional.ofNullable(resumed),
            Optional.ofNullable(context),
            new ReplRequest.Allowed(
                Optional.ofNullable(allowed), Optional.ofNullable(trust), consents),
            new ReplRequest.Places(Optional.ofNullable(store), Optional.ofNullable(trajectory)),
            new ReplRequest.Looks(plain, debug)));
  }
}
