package dev.superstep.terminal;

import dev.superstep.terminal.CommandReview.Review;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.state.Progress;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Makes of a command what would start: the shell and its arguments, and the files that decide what
/// it does. Looks at the machine as it is now.
final class Executions {
  private static final List<String> SHELLS = List.of("/bin/bash", "/usr/bin/bash", "/bin/sh");
  private static final Set<String> MAKE = Set.of("make", "gmake");
  private static final Map<String, List<String>> IMPLIED =
      Map.of(
          "make", List.of("GNUmakefile", "makefile", "Makefile"),
          "gmake", List.of("GNUmakefile", "makefile", "Makefile"),
          "npm", List.of("package.json"),
          "yarn", List.of("package.json"),
          "pnpm", List.of("package.json"),
          "mvn", List.of("pom.xml"),
          "gradle", List.of("build.gradle", "build.gradle.kts", "settings.gradle"),
          "cargo", List.of("Cargo.toml", "build.rs"),
          "just", List.of("justfile", "Justfile"));

  private Executions() {}

  /// The conversation and its plan; both are empty for a command that a person typed.
  record Purpose(String conversation, String plan) {
    static final Purpose TYPED = new Purpose("", "");
  }

  static Execution of(
      String command, Review review, SessionShell shell, TerminalLimits limits, Purpose purpose) {
    return new Execution(
        command,
        argv(command, review.risk()),
        shell.directory(),
        shell.workspace(),
        shell.environment(),
        review.confinement(),
        review.policy(),
        purpose.plan(),
        purpose.conversation(),
        "",
        limits.commandTimeout(),
        files(review.risk(), shell));
  }

  /// The digest of the plan as it was accepted, and of the place of the step in it.
  static String plan(Progress progress) {
    var steps = progress.steps().stream().map(step -> step.description()).toList();
    return ApprovalDigest.sha256(progress.current() + "\0" + String.join("\0", steps));
  }

  static List<String> argv(String command, Assessment risk) {
    var shell =
        SHELLS.stream().filter(path -> Files.isExecutable(Path.of(path))).findFirst().orElse("sh");
    var text = ShellTracking.isNeeded(risk) ? ShellTracking.wrapped(command) : command;
    return shell.endsWith("bash")
        ? List.of(shell, "--noprofile", "--norc", "-c", text)
        : List.of(shell, "-c", text);
  }

  /// The programs that run, by the path on which they are found, and the files that are executed or
  /// sourced.
  private static List<Path> files(Assessment risk, SessionShell shell) {
    var files = new LinkedHashSet<Path>();
    for (var program : risk.values(Fact.Kind.RUNS)) {
      found(program, shell).ifPresent(files::add);
      var name = program.substring(program.lastIndexOf('/') + 1);
      for (var implied : IMPLIED.getOrDefault(name, List.of())) {
        // One that is not there yet would be used if it were made; so it is named as missing.
        files.add(shell.directory().resolve(implied));
      }
    }
    for (var file : risk.values(Fact.Kind.RUNS_FILE)) resolved(file, shell).ifPresent(files::add);
    for (var invocation : risk.invocations()) {
      if (invocation.name().filter(MAKE::contains).isEmpty()) continue;
      for (var argument : invocation.arguments()) {
        var value = argument.value();
        if (value != null && !value.startsWith("-")) resolved(value, shell).ifPresent(files::add);
      }
    }
    return List.copyOf(files);
  }

  private static Optional<Path> found(String program, SessionShell shell) {
    if (program.contains("/")) return resolved(program, shell);
    for (var directory : shell.environment().getOrDefault("PATH", "").split(":", 0)) {
      var at = resolved(directory.isEmpty() ? "." : directory, shell).map(d -> d.resolve(program));
      if (at.isPresent() && Files.isExecutable(at.get())) return at;
    }
    return Optional.empty();
  }

  private static Optional<Path> resolved(String path, SessionShell shell) {
    try {
      return Optional.of(shell.directory().resolve(path));
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }
}
