package dev.superstep.cli.command;

import dev.superstep.cli.conversation.Doctor;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep doctor`.
@Command(
    name = "doctor",
    header = "Tries what this machine can hold, and tells what is missing.",
    description = {
      "Runs the probes of the sandbox, tier by tier, and looks at JDK, terminal, store, model,",
      "rules and tools. Asks no model, unless you say so. Ends with exit code 0 if commands can be",
      "confined, else with 4; with 6 if a model was asked and did not answer."
    })
final class DoctorCommand extends HostCommand {
  @Option(
      names = "--ask-model",
      description = "Also ask the model one small question, for which a vendor may charge.")
  private boolean asksModel;

  @Option(names = "--model", paramLabel = "URL", description = "The model to look at.")
  private @Nullable String model;

  DoctorCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return Doctor.run(host, Optional.ofNullable(model), asksModel);
  }
}
