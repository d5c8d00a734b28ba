package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.Confinement;
import dev.superstep.sandbox.internal.linux.NativeProcess;
import dev.superstep.sandbox.internal.linux.PidsGroup;
import dev.superstep.sandbox.internal.process.ChildProcess;
import dev.superstep.sandbox.internal.process.JdkChild;
import dev.superstep.sandbox.internal.process.NativeChild;
import dev.superstep.sandbox.internal.process.OrphanProcesses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that a tier has made of a command, ready to start.
///
/// @param words the program first, by its path
/// @param marks by which its orphans are found
/// @param confinement what the starting thread enters; null for nothing
/// @param isOfShell whether exit codes above 128 stand for signals
/// @param cleanup what to do after its end
record Launch(
    Tier tier,
    List<String> words,
    Map<String, String> variables,
    Path directory,
    OrphanProcesses marks,
    Confinement.@Nullable Plan confinement,
    boolean isOfShell,
    Runnable cleanup) {
  /// A started process with its group.
  record Started(ChildProcess child, @Nullable PidsGroup group) {}

  /// Starts it.
  Started start(Machine machine, int processes) throws IOException, InterruptedException {
    if (!machine.isNative()) {
      var setsid = machine.programs().setsid();
      var all = new ArrayList<String>();
      if (setsid != null) all.add(setsid.toString());
      all.addAll(words);
      return new Started(JdkChild.start(all, directory, variables), null);
    }
    var group = machine.group() == null ? null : PidsGroup.make(machine.group(), processes);
    try {
      var order =
          new NativeProcess.Order(
              Path.of(words.getFirst()),
              words,
              Variables.words(variables),
              directory,
              confinement,
              group);
      return new Started(NativeChild.start(machine.nativeCalls(), order), group);
    } catch (IOException | RuntimeException e) {
      if (group != null) group.end();
      throw e;
    }
  }
}
