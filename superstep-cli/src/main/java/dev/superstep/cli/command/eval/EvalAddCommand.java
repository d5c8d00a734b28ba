package dev.superstep.cli.command.eval;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.command.base.StoreOptions;
import dev.superstep.cli.eval.EvalAddRun;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `superstep eval add`.
@Command(
    name = "add",
    header = "Makes a case of a recorded thread.",
    description = {
      "The last input of the thread becomes the input of the case, its answer what is expected,",
      "and its tool calls those that are expected. Look at the case before you keep it."
    },
    footerHeading = "%nExample:%n",
    footer = {"  superstep eval add examples/refunds --thread refunds-20261121-2218-k3f9"})
public final class EvalAddCommand extends HostCommand {
  @Parameters(
      paramLabel = "FOLDER",
      description = "The folder with the program that ran the thread.")
  private String folder = "";

  @Option(names = "--thread", paramLabel = "ID", required = true, description = "The thread.")
  private String thread = "";

  @Option(
      names = "--dataset",
      paramLabel = "NAME",
      defaultValue = "recorded",
      description = "The file FOLDER/eval/NAME.jsonl to add it to (default: ${DEFAULT-VALUE}).")
  private String dataset = "";

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "The id of the case; by default that of the thread.")
  private @Nullable String id;

  @Option(names = "--tag", paramLabel = "TEXT", description = "A tag of the case. May be repeated.")
  private List<String> tags = List.of();

  @Option(
      names = "--model",
      paramLabel = "URL",
      description = "The model that the program is opened with; it is not asked.")
  private @Nullable String model;

  @Mixin private StoreOptions store = new StoreOptions();

  public EvalAddCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    EvalAddRun.run(
        host,
        new EvalAddRun.Request(
            folder,
            thread,
            dataset,
            Optional.ofNullable(id),
            tags,
            Optional.ofNullable(model),
            store.store()));
    return ExitCodes.COMPLETED;
  }
}
