package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.PullProgress;
import dev.superstep.model.local.ModelPull;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep models pull`.
@Command(
    name = "pull",
    header = "Downloads the weights of a local model.",
    description = {
      "An interrupted download is continued. A file without the pinned SHA-256 is rejected.",
      "The cache is $SUPERSTEP_CACHE, or else superstep/models in the user's cache",
      "directory."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  superstep models pull gemma3-270m",
      "  superstep models pull gemma3-270m --from ~/Downloads/gemma-3-270m-q4_k_m.gguf"
    })
final class ModelsPullCommand extends HostCommand {

  @Parameters(
      paramLabel = "NAME",
      description = "The name of the model, as shown by `superstep models list`.")
  private String name = "";

  @Option(names = "--from", paramLabel = "FILE", description = "A local file with the weights.")
  private @Nullable String from;

  ModelsPullCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() throws InterruptedException {
    var locals = new ModelOpener(host).locals();
    var bare = name.startsWith("local://") ? name.substring("local://".length()) : name;
    var known = locals.known(bare).orElseThrow(() -> ModelOpener.unknown(locals, bare));
    print("license: " + known.license());
    var pull = ModelPull.into(locals);
    if (from != null) pull = pull.withFile(host.path(from));
    var progress = new PullProgress(host.terminal());
    try {
      var file = pull.run(bare, progress);
      progress.clear();
      host.terminal().out().println(SafeText.line(file.toString()));
    } finally {
      progress.clear();
    }
    return ExitCodes.COMPLETED;
  }

  private void print(String text) {
    host.terminal().err().println(SafeText.line(text));
    host.terminal().err().flush();
  }
}
