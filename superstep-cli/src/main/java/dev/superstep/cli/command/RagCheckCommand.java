package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.CheckedText;
import dev.superstep.cli.text.RagFile;
import dev.superstep.language.check.Compilation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep rag check`.
@Command(
    name = "check",
    header = "Checks graphs as text, and shows the maximum cost of a run.",
    description = {
      "Runs nothing. Exit code 2 if a file has an error (not for warnings and notes). Exit",
      "code 7 if [limits] in the superstep.toml next to a file would reject a run. Names",
      "are looked up in that superstep.toml. If there is none, or if it names code in Java,",
      "only the form of names is checked, and a note says so. Models are not opened, so",
      "their limits are not considered."
    },
    footer = {"  superstep rag check desk.rag", "  superstep rag check --json graphs/*.rag"})
final class RagCheckCommand extends RagFileCommand {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of .rag text.")
  private List<String> files = List.of();

  RagCheckCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    int exit = ExitCodes.COMPLETED;
    for (var file : files) {
      var checked = CheckedText.of(host, RagFile.read(host, file));
      if (json) {
        printLine(checked.jsonLine());
      } else {
        print(checked.compilation().text());
        print(summary(checked.compilation()));
        print(checked.boundsText());
      }
      if (!checked.compilation().isValid()) exit = ExitCodes.USAGE;
      else if (exit == ExitCodes.COMPLETED
          && checked.bounds().stream().anyMatch(checked::isRefused)) exit = ExitCodes.BUDGET;
    }
    return exit;
  }

  private static String summary(Compilation checked) {
    long errors = checked.report().errors();
    var found =
        switch ((int) Math.min(errors, 2)) {
          case 0 -> "no errors";
          case 1 -> "1 error";
          default -> errors + " errors";
        };
    var gap = checked.report().shown().isEmpty() ? "" : "\n";
    return gap + checked.source().name() + ": " + found + "\n";
  }
}
