package dev.superstep.cli.command;

import dev.superstep.cli.command.base.HostCommand;
import dev.superstep.cli.conversation.Doctor;
import dev.superstep.cli.host.Host;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `superstep doctor`.
@Command(
    name = "doctor",
    header = "Checks the sandbox and the configuration of this machine.",
    description = {
      "Tests each tier of the sandbox, and checks the JDK, the terminal, the store, the",
      "model, the rules and the tools. Calls the model only with --ask-model. Exit code 0",
      "if commands can be confined, otherwise 4; 6 if the model was called and did not",
      "answer."
    })
final class DoctorCommand extends HostCommand {
  @Option(
      names = "--ask-model",
      description = "Also send the model a short question, for which a vendor may charge.")
  private boolean asksModel;

  @Option(names = "--model", paramLabel = "URL", description = "The model to check.")
  private @Nullable String model;

  DoctorCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return Doctor.run(host, Optional.ofNullable(model), asksModel);
  }
}
