package dev.superstep.terminal.approval;

import dev.superstep.terminal.policy.Confinement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// All that decides what a command does when it starts: what an approval is about. Made of the
/// machine as it is at that moment, once for the question and once more before the start. Never
/// stored, since it holds the environment. Immutable.
///
/// @param script the text that a person reads, passed to the shell as it is
/// @param argv the program that starts and its arguments, with the script among them
/// @param directory where it starts
/// @param workspace below which it may write
/// @param environment every variable that it gets
/// @param confinement how it is confined
/// @param policy the digest of the rules in force
/// @param plan the digest of the plan, and the step that the command is for
/// @param conversation the one that it is for; empty for a command that a person typed
/// @param stdin what it can read
/// @param timeout after which it is stopped
/// @param files the programs that run, and the files that are executed or sourced
public record Execution(
    String script,
    List<String> argv,
    Path directory,
    Path workspace,
    Map<String, String> environment,
    Confinement confinement,
    String policy,
    String plan,
    String conversation,
    String stdin,
    Duration timeout,
    List<Path> files) {
  public Execution {
    argv = List.copyOf(argv);
    environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    files = files.stream().distinct().sorted().toList();
  }
}
