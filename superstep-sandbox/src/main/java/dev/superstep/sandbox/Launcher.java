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
  private final Machine machine;
  private final LimitWords limits;

  Launcher(Machine machine) {
    this.machine = machine;
    this.limits = new LimitWords(machine);
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
      case BUBBLEWRAP -> new BubblewrapLaunch(machine, limits).of(command, directory);
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
          SyscallFilter.of(
              machine.nativeCalls(),
              new SyscallFilter.Settings(command.isMetadataLocked(), guarded));
      return new Launch(
          command.tier(),
          words(command, directory, variables, marks),
          Variables.marked(variables, marks),
          directory,
          marks,
          new Confinement.Plan(rules, filter, machine.isRoot()),
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
    var readable =
        Stream.of(
                SystemPaths.present(SystemPaths.PROGRAMS),
                SystemPaths.present(SystemPaths.SETTINGS),
                SystemPaths.present(SystemPaths.FACTS),
                Stream.of(directory),
                command.readable().stream().map(path -> real(command, path)))
            .flatMap(paths -> paths);
    readable.forEach(path -> all.add(new LandlockRules.Allowed(path, false)));
    var writable =
        Stream.of(
                SystemPaths.present(SystemPaths.DEVICES),
                Stream.of(scratch),
                command.writable().stream().map(path -> real(command, path)))
            .flatMap(paths -> paths);
    writable.forEach(path -> all.add(new LandlockRules.Allowed(path, true)));
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
