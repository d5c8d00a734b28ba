package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.privacy.PlantedSecrets;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.state.ConversationEvent;
import dev.superstep.terminal.transcript.Transcript;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sixty planted keys come into one conversation from every side: variables, files, the person, the
/// model, errors. None leaves it by any of its channels, nor lies in its store.
@Tag("C31")
final class SecretConversationTest {
  private static final PlantedSecrets PLANTED = new PlantedSecrets(7);
  private static final String ALL = String.join("\n", PLANTED.all());

  @TempDir Path folder;

  private final ArrayDeque<String> replies = new ArrayDeque<>();
  private final Map<String, String> channels = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final ProcessRunner processes = new ProcessRunner();
  private final ScriptedModel model = ScriptedModel.by(_ -> reply());

  private ChatReply reply() {
    var next = replies.removeFirst();
    if (next.isEmpty()) throw new ModelException(ModelException.Kind.TRANSPORT, "no: " + ALL);
    return ScriptedModel.text(next);
  }

  private CommandResult run(Execution execution) throws InterruptedException {
    if (execution.script().startsWith("fail")) throw new IllegalStateException("broken: " + ALL);
    return processes.run(execution);
  }

  @Test
  void no_key_leaves_a_conversation_or_lies_in_its_store() throws Exception {
    var workspace = Files.createDirectory(folder.resolve("work"));
    Files.writeString(workspace.resolve("keys.txt"), ALL);
    try (var threads = SqliteCheckpointer.open(folder.resolve("threads.db"));
        var store = SqliteStore.open(folder.resolve("sessions.db"))) {
      var rules = new BreakableRules();
      var parts =
          TerminalParts.of(
                  ModelBackend.of("scripted", model), rules, this::run, PLANTED.redactor()::text)
              .limits(TerminalLimits.standard().automatic());
      var session = Terminal.of(parts, threads, store).open(workspace, environment());
      var conversation = session.ask("Look for marmalade and " + ALL);
      conversation.listening(lines::add);
      converse(conversation);
      var typed = session.run("cat keys.txt && echo " + PLANTED.all().getLast());
      channels.put("typed output", typed.toString());
      crash(conversation, rules);
      collect(conversation, session);
    }
    channels.put("store", stored());
    assertThat(channels).hasSizeGreaterThanOrEqualTo(12);
    channels.forEach(PLANTED::assertAbsent);
    // What is looked at is there, and only the keys are gone.
    assertThat(channels.get("transcript")).contains("CommandSuggested", "[redacted");
    for (var name : List.of("store", "model requests", "JSON")) {
      assertThat(channels.get(name)).as(name).contains("marmalade", "[redacted");
    }
    assertThat(channels.get("stdout")).contains("[redacted");
    assertThat(channels.get("stderr")).contains("[redacted");
  }

  private void converse(TerminalConversation conversation) throws Exception {
    replies.add(Scene.plan("Print the key " + PLANTED.all().getLast() + " now"));
    conversation.advance();
    replies.add(proposal("cat keys.txt; cat keys.txt >&2; printenv; printenv >&2"));
    conversation.decide(new PlanDecision.Accept());

    replies.add("{\"explanation\":" + Json.string(ALL).text() + "}");
    var explained = Scene.request(conversation.decide(new Decision.Explain()));
    channels.put("explain", explained.prose().orElseThrow() + explained.explanation());
    for (var secret : PLANTED.all()) {
      assertThatThrownBy(() -> conversation.decide(new Decision.Edit("echo " + secret)))
          .isInstanceOf(NotApproved.class);
      assertThatThrownBy(
              () -> conversation.decide(new Decision.AlwaysAllow("echo " + secret, "session")))
          .isInstanceOf(NotApproved.class);
    }
    replies.add(proposal("fail"));
    conversation.decide(new Decision.Deny("since " + ALL));
    var failed = Scene.approve(conversation);
    channels.put("error message", failed.attempts().getLast().result().orElseThrow().stderr());

    replies.add("");
    var broken = conversation.recover(Recovery.RETRY);
    channels.put("model error", ((Waiting.ForRetry) broken.waiting()).message());
    // A model that knows a key cannot have it run, nor keep it in the store.
    replies.add(proposal("echo " + PLANTED.all().getLast()));
    var refused = conversation.recover(Recovery.RETRY);
    channels.put("argv", refused.attempts().getLast().command());
    assertThat(refused.attempts().getLast().decision().kind())
        .isEqualTo(CommandAttempt.Kind.REFUSED);

    var question =
        "{\"question\":%s,\"options\":[%s]}"
            .formatted(Json.string("Which? " + ALL).text(), Json.string(ALL).text());
    replies.add(question);
    var asked = (Waiting.ForAnswer) conversation.recover(Recovery.RETRY).waiting();
    channels.put("question", asked.toString());
    replies.add(proposal("cat keys.txt; cat keys.txt >&2; printenv; printenv >&2"));
    conversation.answer("this: " + ALL);
    replies.add(proposal("echo last"));
    var ran = Scene.approve(conversation);
    channels.put("stdout", ran.attempts().getLast().result().orElseThrow().stdout());
    channels.put("stderr", ran.attempts().getLast().result().orElseThrow().stderr());
  }

  /// An error of ours that quotes what it was at, as the command reports it: without secrets.
  private void crash(TerminalConversation conversation, BreakableRules rules) {
    rules.isBroken = true;
    try {
      var view = conversation.decide(new Decision.Stricter(dev.superstep.sandbox.Tier.LANDLOCK));
      throw new AssertionError("it waits for " + view.waiting());
    } catch (Exception e) {
      var trace = new StringWriter();
      e.printStackTrace(new PrintWriter(trace));
      assertThat(trace.toString()).contains("IllegalStateException");
      channels.put("crash dump", PLANTED.redactor().text(trace.toString()));
    }
  }

  /// Rules that fail with the secrets of the variables, once they are told to.
  private static final class BreakableRules implements CommandReview {
    private final Rules rules = new Rules();
    private volatile boolean isBroken;

    @Override
    public Review review(ShellScript script, Circumstances at) {
      if (isBroken) throw new IllegalStateException("a file of rules holds " + ALL);
      return rules.review(script, at);
    }

    @Override
    public void allow(String rule, String scope) {
      rules.allow(rule, scope);
    }
  }

  private void collect(TerminalConversation conversation, TerminalSession session)
      throws Exception {
    var view = conversation.view();
    var file = folder.resolve("transcript.jsonl");
    var _ = Transcript.export(conversation.journal(), file);
    channels.put("transcript", Files.readString(file));
    Files.delete(file);
    channels.put("status line", String.join("\n", lines) + view.statusLine());
    var json = new StringBuilder();
    var events = Codec.of(ConversationEvent.class);
    view.history().forEach(event -> json.append(events.encode(event).text()));
    var attempts = Codec.of(CommandAttempt.class);
    view.attempts().forEach(attempt -> json.append(attempts.encode(attempt).text()));
    json.append(Codec.of(ConversationInfo.class).encode(view.info()).text());
    json.append(Codec.of(SessionRecord.class).encode(session.record()).text());
    channels.put("JSON", json.toString());
    var requests = new StringBuilder();
    model.requests().forEach(request -> requests.append(request.messages()));
    channels.put("model requests", requests.toString());
    channels.put("views", view.toString());
  }

  /// The text of every file that the conversation left.
  private String stored() throws Exception {
    var text = new StringBuilder();
    try (var files = Files.list(folder)) {
      for (var file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        text.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
    return text.toString();
  }

  private static Map<String, String> environment() {
    var all = new LinkedHashMap<>(PLANTED.variables());
    all.put("PATH", "/usr/bin:/bin");
    all.put("LANG", "C.UTF-8");
    return all;
  }

  private static String proposal(String command) {
    return "{\"commands\":[{\"command\":%s,\"explanation\":%s}],\"done\":false}"
        .formatted(Json.string(command).text(), Json.string("It uses " + ALL).text());
  }
}
