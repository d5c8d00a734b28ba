package dev.superstep.cli.command;

import dev.superstep.cli.host.Display;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// `superstep` itself.
@Command(
    name = "superstep",
    header = "Runs agent programs that survive crashes, questions and restarts.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:completed",
      "1:an evaluation is under its threshold",
      "2:the command, its input or a configuration file is wrong; nothing has run",
      "3:interrupted, stopped, or an approval is needed and nobody can be asked",
      "4:failed, or a check found a difference; finished work is saved",
      "5:denied by a rule",
      "6:a model could not be asked, or its answer could not be used",
      "7:a budget or a limit of calls is used up, or might be",
      "130:ended by Ctrl-C with nothing to resume"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep new desk",
      "  superstep chat desk",
      "  superstep run examples/triage --input examples/triage/inbox",
      "  superstep resume triage-20261121-2218-k3f9 --answer wy5ri9kgxc=yes",
      "  superstep threads list",
      "  superstep events triage-20261121-2218-k3f9 --follow",
      "  superstep models pull gemma3-270m",
      "",
      "The model is the first that is named by: --model, SUPERSTEP_MODEL, the",
      "program's superstep.toml, ~/.config/superstep/config.toml (`model = \"…\"`);",
      "else it is local://gemma3-270m. Model URLs:",
      "  openai://M, anthropic://M, gemini://M, mistral://M, ollama://HOST:PORT/M",
      "  openai-compatible://http://HOST:PORT/v1/M",
      "  local://NAME, local:///path/to/FILE.gguf",
      "  scripted://FILE.json, recorded://FILE.jsonl",
      "",
      "Only in the source tree of Superstep, by its ./superstep:",
      "  superstep test      runs the whole gate; --long runs the long tests",
      "  superstep install   installs the modules in the local Maven repository",
      "  superstep site      builds the website of the guide",
      "  superstep format    rewrites the Java sources in the house format",
      "  superstep bench     measures Superstep, its peers and the limit",
      "  superstep release   builds what is published"
    })
final class RootCommand extends CommandGroup {
  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      description = "Use colours: auto (on a terminal), always or never.")
  @SuppressWarnings("UnusedVariable") // read from the arguments, before any command is made
  private Display.Colors colors = Display.Colors.AUTO;
}
