package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.RagFolder;
import dev.superstep.cli.text.RagFile;
import dev.superstep.cli.text.TextProgram;
import dev.superstep.language.check.Compilation;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `superstep rag check`.
@Command(
    name = "check",
    header = "Tells what is wrong with graphs as text.",
    description = {
      "Runs nothing. Exit code 2 if a file has an error; warnings and notes are none.",
      "Names are looked up in the superstep.toml beside a file. Without one, or if it names code"
          + " in",
      "Java, names are checked for their form only, and one note says so."
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
      var checked = checked(RagFile.read(host, file));
      printFindings(checked);
      if (!json) print(summary(checked));
      if (!checked.isValid()) exit = ExitCodes.USAGE;
    }
    return exit;
  }

  private static Compilation checked(RagFile file) {
    var folder = RagFolder.find(file.path());
    return folder.map(known -> TextProgram.checked(known, file)).orElseGet(file::checkedAlone);
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
