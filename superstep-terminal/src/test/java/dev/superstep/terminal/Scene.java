package dev.superstep.terminal;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.json.Json;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.terminal.approval.ApprovalRequest;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.undo.WorkspaceUndo;
import dev.superstep.testkit.ManualClock;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// A terminal with a scripted model and real commands in a folder. One thread at a time.
final class Scene {
  final Path folder;
  ScriptedModel model;
  final ProcessRunner runner = new ProcessRunner();
  final Rules rules = new Rules();
  final ManualClock clock = ManualClock.at("2026-11-28T08:00:00Z");
  final Map<String, String> environment = new LinkedHashMap<>();
  Checkpointer threads = new InMemoryCheckpointer();
  Store store = InMemoryStore.open();
  WorkspaceUndo undo = WorkspaceUndo.none();
  UnaryOperator<String> redact = text -> text.replace("hunter2", "[secret]");
  TerminalLimits limits = TerminalLimits.standard().automatic();

  private Scene(Path folder, String... replies) {
    this.folder = folder;
    this.model = ScriptedModel.saying(replies);
    environment.put("PATH", "/usr/bin:/bin");
    environment.put("HOME", folder.toString());
    environment.put("LANG", "C.UTF-8");
  }

  static Scene in(Path folder, String... replies) {
    return new Scene(folder, replies);
  }

  TerminalParts parts() {
    return TerminalParts.of(ModelBackend.of("scripted", model), rules, runner, redact)
        .undo(undo)
        .clock(clock)
        .limits(limits);
  }

  /// A terminal as another process would have it: the same stores, no approvals.
  Terminal terminal() {
    return Terminal.of(parts(), threads, store);
  }

  TerminalSession session() {
    return terminal().open(folder, environment);
  }

  static String plan(String... steps) {
    return List.of(steps).stream()
        .map(step -> "{\"description\":" + Json.string(step).text() + "}")
        .collect(Collectors.joining(",", "{\"steps\":[", "]}"));
  }

  /// A reply that proposes commands, after which the step is done.
  static String last(String... commands) {
    return commands(true, commands);
  }

  static String more(String... commands) {
    return commands(false, commands);
  }

  private static String commands(boolean isDone, String... commands) {
    return List.of(commands).stream()
        .map(command ->
            "{\"command\":" + Json.string(command).text() + ",\"explanation\":\"because\"}")
        .collect(Collectors.joining(",", "{\"commands\":[", "],\"done\":" + isDone + "}"));
  }

  static String done() {
    return "{\"commands\":[],\"done\":true}";
  }

  static ApprovalRequest request(ConversationView view) {
    if (view.waiting() instanceof Waiting.ForCommand(var request)) return request;
    throw new AssertionError("it waits for " + view.waiting());
  }

  /// Approves what waits, as a person who has read it.
  static ConversationView approve(TerminalConversation conversation) throws InterruptedException {
    var request = request(conversation.view());
    return conversation.approve(request.digest().hex(), request.phrase().orElse(""));
  }
}
