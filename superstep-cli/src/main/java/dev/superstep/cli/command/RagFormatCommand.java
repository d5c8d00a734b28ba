package dev.superstep.cli.command;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.text.RagFile;
import dev.superstep.json.Json;
import dev.superstep.language.DiagnosticJson;
import dev.superstep.language.DiagnosticText;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.rag.Formatter;
import dev.superstep.language.rag.SyntaxLimits;
import dev.superstep.language.rag.SyntaxTree;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep rag format`.
@Command(
    name = "format",
    header = "Formats graphs as text, in place.",
    description = {
      "Does not move comments or change prompts. A file with syntax errors is not changed,",
      "with exit code 2."
    },
    footer = {"  superstep rag format desk.rag", "  superstep rag format --check graphs/*.rag"})
final class RagFormatCommand extends RagFileCommand {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of .rag text.")
  private List<String> files = List.of();

  @Option(names = "--check", description = "Write nothing; exit code 4 if a file would be changed.")
  private boolean check;

  RagFormatCommand(Host host) {
    super(host);
  }

  /// A file, as `--json` prints it.
  ///
  /// @param changed whether the layout is another than the file had
  /// @param written whether the file has it now
  private record Line(String file, boolean changed, boolean written, Json findings) {}

  @Override
  public Integer call() {
    int exit = ExitCodes.COMPLETED;
    for (var file : files) {
      int one = format(RagFile.read(host, file));
      if (exit != ExitCodes.USAGE && one != ExitCodes.COMPLETED) exit = one;
    }
    return exit;
  }

  private int format(RagFile file) {
    var source = file.source();
    var found = new Diagnostics();
    var tree = SyntaxTree.parse(source, SyntaxLimits.WRITTEN, found);
    boolean isBroken = found.hasErrors();
    var text = isBroken ? source.text() : Formatter.format(tree);
    boolean changed = !text.equals(source.text());
    if (changed && !check) file.write(text);
    if (json) {
      var findings = Json.parse(DiagnosticJson.of(source, found.report()));
      printLine(Json.of(new Line(source.name(), changed, changed && !check, findings)).text());
    } else if (isBroken) {
      print(DiagnosticText.of(source, found.report()));
    } else if (changed) {
      print(source.name() + (check ? ": would be changed\n" : ": formatted\n"));
    }
    if (isBroken) return ExitCodes.USAGE;
    return changed && check ? ExitCodes.FAILED : ExitCodes.COMPLETED;
  }
}
