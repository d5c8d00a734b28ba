package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.sandbox.Tier;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.state.ConversationStatus;
import dev.superstep.terminal.state.StepStatus;
import dev.superstep.testkit.ManualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Conversations of models that answer anything and people who decide anything, each opened again
/// before each decision, as in another process.
@Tag("C26")
final class RandomConversationsTest {
  private static final int CASES = Integer.getInteger("superstep.cases", 60);
  private static final int DECISIONS = 40;
  private static final int SQLITE_SHARE = 20;

  @TempDir Path folder;

  private final Set<ConversationStatus> seen = EnumSet.noneOf(ConversationStatus.class);
  private final Set<StepStatus> seenSteps = EnumSet.noneOf(StepStatus.class);

  @Test
  @Tag("C22")
  @Tag("C3")
  void in_memory_every_conversation_can_be_opened_where_it_stands() throws Exception {
    for (int i = 0; i < CASES; i++) {
      try (var threads = new InMemoryCheckpointer(InstantSource.system(), true);
          var store = InMemoryStore.open()) {
        converse(i, threads, store);
      }
    }
    assertThat(seen)
        .contains(
            ConversationStatus.READY,
            ConversationStatus.IN_PROGRESS,
            ConversationStatus.NEEDS_INPUT,
            ConversationStatus.FINISHED,
            ConversationStatus.ABORTED,
            ConversationStatus.ERROR);
    assertThat(seenSteps)
        .contains(
            StepStatus.PENDING,
            StepStatus.COMMAND_SUGGESTED,
            StepStatus.COMPLETE,
            StepStatus.FAILED,
            StepStatus.SKIPPED,
            StepStatus.CANCELLED);
  }

  @Test
  void in_sqlite_every_conversation_can_be_opened_where_it_stands() throws Exception {
    for (int i = 0; i < Math.max(1, CASES / SQLITE_SHARE); i++) {
      try (var threads = SqliteCheckpointer.open(folder.resolve(i + "-threads.db"));
          var store = SqliteStore.open(folder.resolve(i + "-sessions.db"))) {
        converse(i, threads, store);
      }
    }
    assertThat(seen).contains(ConversationStatus.READY);
  }

  private void converse(int seed, Checkpointer threads, Store store) throws Exception {
    var random = new SplittableRandom(seed);
    var calls = new AtomicInteger();
    var parts = parts(random, calls);
    var first = Terminal.of(parts, threads, store);
    var session = first.open(folder, Map.of("PATH", "/usr/bin:/bin"));
    var conversation = session.ask("Do some things, please");
    var view = conversation.advance();
    for (int i = 0; i < DECISIONS && !view.status().isFinal(); i++) {
      note(view);
      // Another process: the same stores, nothing else.
      var again =
          Terminal.of(parts, threads, store)
              .open(session.record().id(), Map.of("PATH", "/usr/bin:/bin"))
              .orElseThrow()
              .conversation(conversation.id())
              .orElseThrow();
      assertThat(again.view()).isEqualTo(view);
      assertThat(again.view().statusLine()).isEqualTo(view.statusLine());
      conversation = again;
      view = decide(conversation, view, random);
      assertThat(view.progress().count(StepStatus.RUNNING)).isLessThanOrEqualTo(1);
    }
    note(view);
    if (!view.status().isFinal()) view = conversation.abort();
    note(view);
    int asked = calls.get();
    assertThat(conversation.advance().status()).isEqualTo(view.status());
    assertThat(conversation.abort().status()).isEqualTo(view.status());
    assertThat(calls).hasValue(asked);
  }

  private void note(ConversationView view) {
    seen.add(view.status());
    view.progress().steps().forEach(step -> seenSteps.add(step.status()));
  }

  private TerminalParts parts(SplittableRandom random, AtomicInteger calls) {
    var model =
        ScriptedModel.by(request -> {
          calls.incrementAndGet();
          var text = request.messages().toString();
          return ScriptedModel.text(reply(random, text));
        });
    CommandRunner runner =
        execution -> CommandResult.ended(random.nextInt(4) == 0 ? 1 : 0, "out", "", Duration.ZERO);
    var rules = new Rules();
    rules.denied.add("echo denied");
    rules.allowed.add("echo allowed");
    return TerminalParts.of(ModelBackend.of("scripted", model), rules, runner, text -> text)
        .clock(ManualClock.at("2026-11-28T08:00:00Z"))
        .limits(
            random.nextBoolean()
                ? TerminalLimits.standard()
                : TerminalLimits.standard().automatic());
  }

  private static String reply(SplittableRandom random, String text) {
    if (random.nextInt(20) == 0) return "no JSON at all";
    if (random.nextInt(20) == 0) {
      throw new ModelException(ModelException.Kind.TRANSPORT, "The connection broke.");
    }
    if (text.contains("You plan work")) {
      return random.nextBoolean()
          ? Scene.plan("Do the first part", "Do the second part")
          : Scene.plan("Do all the parts");
    }
    if (text.contains("Explain a shell command")) return "{\"explanation\":\"It prints.\"}";
    return switch (random.nextInt(8)) {
      case 0 -> Scene.done();
      case 1 -> "{\"question\":\"Which?\",\"options\":[]}";
      case 2 -> Scene.more("echo more");
      case 3 -> Scene.last("echo denied");
      case 4 -> Scene.last("echo allowed");
      default -> Scene.last("echo one", "echo two");
    };
  }

  private static ConversationView decide(
      TerminalConversation conversation, ConversationView view, SplittableRandom random)
      throws InterruptedException {
    if (random.nextInt(30) == 0) return conversation.abort();
    return switch (view.waiting()) {
      case Waiting.ForPlan(var steps, _, _) ->
          switch (random.nextInt(4)) {
            case 0 -> conversation.decide(new PlanDecision.Edit(steps.reversed()));
            case 1 -> conversation.decide(new PlanDecision.Replan("another"));
            default -> conversation.decide(new PlanDecision.Accept());
          };
      case Waiting.ForStep _, Waiting.ForRetry _ -> conversation.recover(any(random));
      case Waiting.ForRecovery _ -> conversation.recover(any(random));
      case Waiting.ForAnswer _ -> conversation.answer("this");
      case Waiting.ForCommand(var request) ->
          random.nextInt(2) == 0
              ? conversation.approve(request.digest().hex(), "")
              : conversation.decide(decision(random));
      case Waiting.Nothing _ -> conversation.advance();
    };
  }

  private static Recovery any(SplittableRandom random) {
    var all = List.of(Recovery.CONTINUE, Recovery.RETRY, Recovery.SKIP, Recovery.MARK_DONE);
    return random.nextInt(12) == 0 ? Recovery.ABORT : all.get(random.nextInt(all.size()));
  }

  private static Decision decision(SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> new Decision.Edit("echo edited");
      case 1 -> new Decision.Alternative();
      case 2 -> new Decision.Explain();
      case 3 -> new Decision.Skip();
      case 4 -> new Decision.Stricter(Tier.LANDLOCK);
      case 5 -> new Decision.AlwaysAllow("echo one", "session");
      case 6 -> new Decision.Approve("0000");
      default -> new Decision.Deny("no");
    };
  }
}
