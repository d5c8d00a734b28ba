package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.Confinement;
import dev.superstep.sandbox.internal.linux.LandlockRules;
import dev.superstep.sandbox.internal.linux.SyscallFilter;
import dev.superstep.sandbox.internal.process.OrphanProcesses;
import dev.superstep.sandbox.internal.process.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Turns a command into what its tier starts. Immutable.
final class Launcher {
  private static final List<LandlockRules.Allowed> OF_SYSTEM =
      Stream.of(SystemPaths.PROGRAMS, SystemPaths.SETTINGS, SystemPaths.FACTS, SystemPaths.DEVICES)
          .flatMap(paths ->
              paths.stream()
                  .map(path ->
                      new LandlockRules.Allowed(path, SystemPaths.DEVICES.contains(path), true)))
          .toList();

  private final Machine machine;
  private final Filters filters;
  private final LimitWords limits;

  Launcher(Machine machine) {
    this.machine = machine;
    this.limits = new LimitWords(machine);
    this.filters = new Filters(machine);
  }

  /// Prepares a command.
  ///
  /// @throws SandboxError.NotStarted if it has no program or no directory
  Launch prepare(SandboxCommand command) throws IOException {
    var directory = real(command, command.directory());
    if (!Files.isDirectory(directory)) {
      throw new SandboxError.NotStarted(
          command.words().getFirst(), "`" + directory + "` is no directory", null);
    }
    return switch (command.tier()) {
      case PROCESS -> process(command, directory);
      case LANDLOCK -> landlock(command, directory);
      case BUBBLEWRAP -> new BubblewrapLaunch(machine, limits, filters).of(command, directory);
    };
  }

  static Path real(SandboxCommand command, Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new SandboxError.NotStarted(
          command.words().getFirst(), "`" + path + "` cannot be found", e);
    }
  }

  private Launch process(SandboxCommand command, Path directory) {
    var marks = OrphanProcesses.fresh();
    var variables =
        Variables.of(
            command, System.getProperty("user.home"), System.getProperty("java.io.tmpdir"));
    return new Launch(
        command.tier(),
        words(command, directory, variables, marks),
        Variables.marked(variables, marks),
        directory,
        marks,
        null,
        null,
        !machine.isNative(),
        () -> {});
  }

  private Launch landlock(SandboxCommand command, Path directory) throws IOException {
    var marks = OrphanProcesses.fresh();
    var scratch = PrivateFiles.folder("superstep-sandbox-");
    try {
      var variables = Variables.of(command, scratch.toString(), scratch.toString());
      var rules = new LandlockRules(machine.landlock(), allowed(command, directory, scratch));
      int guarded =
          rules.version() >= LandlockRules.SIGNALS ? 0 : (int) ProcessHandle.current().pid();
      var filter =
          filters.of(new SyscallFilter.Settings(command.isMetadataLocked(), guarded, false));
      return new Launch(
          command.tier(),
          words(command, directory, variables, marks),
          Variables.marked(variables, marks),
          directory,
          marks,
          new Confinement.Plan(rules, filter, machine.isRoot()),
          null,
          false,
          () -> PrivateFiles.delete(scratch));
    } catch (RuntimeException e) {
      PrivateFiles.delete(scratch);
      throw e;
    }
  }

  private static List<LandlockRules.Allowed> allowed(
      SandboxCommand command, Path directory, Path scratch) {
    var all = new ArrayList<LandlockRules.Allowed>();
    all.addAll(OF_SYSTEM);
    all.add(new LandlockRules.Allowed(directory, false, false));
    for (var path : command.readable()) {
      all.add(new LandlockRules.Allowed(real(command, path), false, false));
    }
    all.add(new LandlockRules.Allowed(scratch, true, false));
    for (var path : command.writable()) {
      all.add(new LandlockRules.Allowed(real(command, path), true, false));
    }
    return all;
  }

  private List<String> words(
      SandboxCommand command,
      Path directory,
      Map<String, String> variables,
      OrphanProcesses marks) {
    var program =
        Programs.find(command.words().getFirst(), directory, variables.getOrDefault("PATH", ""));
    var words = new ArrayList<>(limits.of(command.limits(), marks, false));
    words.add(program.toString());
    words.addAll(command.words().subList(1, command.words().size()));
    return words;
  }
}
