package dev.superstep.cli.command;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ProgramRun;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep run`.
@Command(
    name = "run",
    header = "Runs a program, or a graph as text, on new input.",
    description = "This runs the folder's code with your rights: run only what you trust.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep run examples/triage",
      "  superstep run examples/triage --input mails --model ollama://localhost:11434/qwen3:8b",
      "  superstep run desk.rag --input claim.txt --model openai://gpt-5.2",
      "  superstep run examples/triage --thread monday --json < /dev/null",
      "",
      "On a terminal, questions are asked as they come. Elsewhere the run ends with exit code 3",
      "and prints the command that goes on: superstep resume THREAD."
    })
final class RunCommand extends HostCommand {

  @Parameters(
      paramLabel = "FOLDER",
      description = "Holds superstep.toml, which says what to run; or a .rag file.")
  private String folder = "";

  @Option(
      names = "--input",
      paramLabel = "PATH",
      description = {
        "What to work on; by default what superstep.toml names. For a text, a JSON",
        "object in a file .json, or the text of its only field."
      })
  private @Nullable String input;

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "Where results go; by default superstep-out/THREAD.")
  private @Nullable String output;

  @Option(
      names = "--thread",
      paramLabel = "ID",
      description = "A name for this piece of work, for `resume`; made up if you name none.")
  private @Nullable String thread;

  @Option(
      names = "--graph",
      paramLabel = "NAME",
      description = "The graph of a text that has several; else the only one that no other uses.")
  private String graph = "";

  @Mixin private ThreadOptions options = new ThreadOptions();

  RunCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return ProgramRun.run(
        host,
        new ProgramRun.Request(
            folder,
            Optional.ofNullable(input),
            Optional.ofNullable(output),
            Optional.ofNullable(thread),
            graph,
            options.flags()));
  }
}
