package dev.superstep.cli.command;

import dev.superstep.cli.conversation.Doctor;
import dev.superstep.cli.host.Host;
import picocli.CommandLine.Command;

/// `superstep doctor`.
@Command(
    name = "doctor",
    header = "Tries what this machine can hold, and tells what is missing.",
    description = {
      "Runs the probes of the sandbox, tier by tier, and looks at JDK, terminal, store, model,",
      "rules and tools. Ends with exit code 0 if commands can be confined, else with 4."
    })
final class DoctorCommand extends HostCommand {
  DoctorCommand(Host host) {
    super(host);
  }

  @Override
  public Integer call() {
    return Doctor.run(host);
  }
}
