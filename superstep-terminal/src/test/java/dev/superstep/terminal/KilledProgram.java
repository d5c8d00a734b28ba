package dev.superstep.terminal;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.state.StepStatus;
import dev.superstep.terminal.transcript.Transcript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// A process that goes on with one conversation in a folder, as a person who approves everything
/// would, and kills itself at a point: before or after one of its writes, or around a command.
/// Before each approval the person notes it in `approvals`; each command adds a line to `effects`.
final class KilledProgram {
  private static final int STEPS = 3;
  private static final int ROOM = 60_000;
  private static final Set<String> WRITES =
      Set.of("acquire", "release", "commit", "saveTask", "saveStep", "answer", "append");
  private static final AtomicLong POINTS = new AtomicLong();

  private static long killedAt;

  private KilledProgram() {}

  /// @param arguments the folder, and the number of the point; 0 to come to the end
  public static void main(String[] arguments) throws Exception {
    var folder = Path.of(arguments[0]);
    killedAt = Long.parseLong(arguments[1]);
    try (var threads = SqliteCheckpointer.open(folder.resolve("threads.db"));
        var store = SqliteStore.open(folder.resolve("sessions.db"))) {
      if (Boolean.getBoolean("superstep.disk-full")) limitFiles(folder.resolve("threads.db-wal"));
      var terminal = Terminal.of(parts(), killing(threads), store);
      converse(conversation(terminal, folder), folder);
    }
    System.out.println("ended");
  }

  /// No file of this process can grow much beyond this one: as on a disk that becomes full.
  private static void limitFiles(Path file) throws Exception {
    var limit = "--fsize=" + (Files.size(file) + ROOM);
    var pid = String.valueOf(ProcessHandle.current().pid());
    int exit = new ProcessBuilder("prlimit", "--pid", pid, limit).start().waitFor();
    if (exit != 0) throw new IllegalStateException("prlimit ended with " + exit);
  }

  private static TerminalParts parts() {
    var processes = new ProcessRunner();
    CommandRunner runner =
        execution -> {
          point();
          var result = processes.run(execution);
          point();
          return result;
        };
    var model =
        ScriptedModel.by(request -> {
          var text = request.messages().getLast().toString();
          if (!text.contains("Current step, number")) {
            return ScriptedModel.text(
                Scene.plan("Add the first line", "Add the second line", "Add the third line"));
          }
          var step = text.replaceAll("(?s).*Current step, number (\\d).*", "$1");
          return ScriptedModel.text(Scene.last("echo " + step + " >> effects"));
        });
    return TerminalParts.of(ModelBackend.of("scripted", model), new Rules(), runner, text -> text)
        .limits(TerminalLimits.standard().automatic());
  }

  /// The store, with a point before and after each write.
  private static Checkpointer killing(Checkpointer threads) {
    return (Checkpointer)
        Proxy.newProxyInstance(
            KilledProgram.class.getClassLoader(),
            new Class<?>[] {Checkpointer.class},
            (_, method, given) -> {
              boolean isWrite = WRITES.contains(method.getName());
              if (isWrite) point();
              try {
                var result = method.invoke(threads, given);
                if (isWrite) point();
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /// SIGKILL: no hook runs, nothing is flushed.
  private static void point() {
    if (POINTS.incrementAndGet() != killedAt) return;
    try {
      var pid = String.valueOf(ProcessHandle.current().pid());
      new ProcessBuilder("kill", "-KILL", pid).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    while (true) LockSupport.park();
  }

  private static TerminalConversation conversation(Terminal terminal, Path folder) {
    var environment = Map.of("PATH", "/usr/bin:/bin", "HOME", folder.toString());
    for (var known : terminal.sessions()) {
      var session = terminal.open(known.id(), environment).orElseThrow();
      for (var id : known.conversations().reversed()) {
        var conversation = session.conversation(id);
        if (conversation.isPresent()) return conversation.get();
      }
    }
    return terminal.open(folder, environment).ask("Add three lines");
  }

  private static void converse(TerminalConversation conversation, Path folder) throws Exception {
    var view = conversation.advance();
    for (int i = 0; !view.status().isFinal() && i < 100; i++) {
      view =
          switch (view.waiting()) {
            case Waiting.ForPlan _ -> conversation.decide(new PlanDecision.Accept());
            case Waiting.ForCommand(var request) -> {
              note(folder, "approvals", String.valueOf(request.step() + 1));
              yield conversation.approve(request.digest().hex(), "");
            }
            case Waiting.ForRecovery recovery -> {
              note(folder, "interruptions", String.valueOf(recovery.step() + 1));
              boolean isInterrupted =
                  view.progress().steps().get(recovery.step()).status() == StepStatus.INTERRUPTED;
              // As a person who looks first: what is there was done.
              boolean isDone = lines(folder, "effects").contains(recovery.step() + 1 + "");
              yield conversation.recover(
                  isInterrupted && isDone ? Recovery.MARK_DONE : Recovery.RERUN);
            }
            case Waiting.Nothing _, Waiting.ForStep _, Waiting.ForAnswer _, Waiting.ForRetry _ ->
                conversation.advance();
          };
      var _ = Transcript.export(conversation.journal(), folder.resolve("transcript.jsonl"));
    }
    if (view.progress().steps().size() != STEPS) throw new AssertionError(view.toString());
    System.out.println("status " + view.status());
    System.out.println("points " + POINTS.get());
  }

  static List<String> lines(Path folder, String name) throws IOException {
    var file = folder.resolve(name);
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static void note(Path folder, String name, String line) throws IOException {
    try (var channel =
        FileChannel.open(
            folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      channel.write(java.nio.ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
  }
}
