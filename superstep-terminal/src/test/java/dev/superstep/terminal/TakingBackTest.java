package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.graph.Threads;
import dev.superstep.model.ScriptedModel;
import dev.superstep.terminal.approval.Decision;
import dev.superstep.terminal.state.ConversationStatus;
import dev.superstep.terminal.undo.UndoFailed;
import dev.superstep.terminal.undo.UndoLimits;
import dev.superstep.terminal.undo.UndoPlace;
import dev.superstep.terminal.undo.WorkspaceUndo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commands of a conversation are taken back, and what a rewind and a fork make of commands that
/// have run.
@Tag("C32")
final class TakingBackTest {
  private static final PlanDecision ACCEPT = new PlanDecision.Accept();

  @TempDir Path folder;
  private Path work;
  private WorkspaceUndo undo = WorkspaceUndo.none();

  @BeforeEach
  void make_a_workspace() throws Exception {
    work = Files.createDirectories(folder.resolve("work")).toRealPath();
    Files.writeString(work.resolve("log"), "begun\n");
    undo = undo(folder.resolve("changes"), UndoLimits.standard());
  }

  private static WorkspaceUndo undo(Path store, UndoLimits limits) {
    return WorkspaceUndo.of(
        workspace -> UndoPlace.of(workspace, store), limits, java.time.InstantSource.system());
  }

  @AfterEach
  void close() {
    undo.close();
  }

  private Scene scene(String... replies) {
    var scene = Scene.in(work, replies);
    scene.undo = undo;
    return scene;
  }

  private Scene threeLines() {
    return scene(
        Scene.plan("Add the first line", "Add the second line", "Add the third line"),
        Scene.last("echo one >> log"),
        Scene.last("mkdir inner && cd inner && echo two >> ../log"),
        Scene.last("rm ../log"),
        // What a model says when it is asked again after commands were taken back.
        Scene.last("echo third"),
        Scene.last("echo fourth"));
  }

  @Test
  void commands_are_taken_back_step_by_step_with_the_conversation() throws Exception {
    var scene = threeLines();
    var session = scene.session();
    var conversation = session.ask("Add three lines");
    conversation.advance();
    conversation.decide(ACCEPT);
    Scene.approve(conversation);
    Scene.approve(conversation);
    var ended = Scene.approve(conversation);
    assertThat(ended.status()).isEqualTo(ConversationStatus.FINISHED);
    assertThat(work.resolve("log")).doesNotExist();
    assertThat(conversation.changes()).hasSize(3);
    assertThat(ended.attempts()).allMatch(attempt -> attempt.change().isPresent());

    var third = conversation.takeBack();
    assertThat(third.paths()).containsExactly("log");
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\none\ntwo\n");
    assertThat(Scene.request(third.view()).command()).isEqualTo("rm ../log");
    assertThat(third.view().attempts()).hasSize(2);

    var second = conversation.takeBack();
    assertThat(second.paths()).contains("inner", "log");
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\none\n");
    assertThat(Scene.request(second.view()).command()).startsWith("mkdir inner");
    assertThat(session.record().directory()).isEqualTo(work.toString());

    var first = conversation.takeBack();
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\n");
    assertThat(Scene.request(first.view()).command()).isEqualTo("echo one >> log");
    assertThat(conversation.changes()).isEmpty();
    assertThatThrownBy(conversation::takeBack).isInstanceOf(NotApproved.class);
    assertThat(scene.runner.started).hasSize(3);

    // It runs again when it is approved again, and not before.
    Scene.approve(conversation);
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\none\n");
    assertThat(scene.runner.started).hasSize(4);
  }

  @Test
  void what_was_changed_since_keeps_the_workspace_and_the_conversation_as_they_are()
      throws Exception {
    var scene = threeLines();
    var conversation = scene.session().ask("Add three lines");
    conversation.advance();
    conversation.decide(ACCEPT);
    var before = Scene.approve(conversation);
    Files.writeString(work.resolve("log"), "by hand\n");
    assertThatThrownBy(conversation::takeBack).isInstanceOf(UndoFailed.class);
    assertThat(work.resolve("log")).hasContent("by hand");
    assertThat(conversation.view()).isEqualTo(before);
  }

  @Test
  void a_rewound_conversation_runs_nothing_again_without_a_new_approval() throws Exception {
    var scene = scene();
    // However often it is asked.
    scene.model =
        ScriptedModel.by(request -> {
          var text = request.messages().getLast().toString();
          boolean isFirst = text.contains("Current step, number 1");
          if (isFirst) return ScriptedModel.text(Scene.last("echo one >> log"));
          return ScriptedModel.text(
              text.contains("Current step, number")
                  ? Scene.last("echo two >> log")
                  : Scene.plan("Add the first line", "Add the second line"));
        });
    scene.rules.allowed.add("echo one >> log");
    var conversation = scene.session().ask("Add two lines");
    conversation.advance();
    conversation.decide(ACCEPT);
    assertThat(scene.runner.started).containsExactly("echo one >> log");
    var threads = Threads.in(scene.threads);
    var history = threads.history(conversation.id(), Optional.empty(), 100);
    for (var checkpoint : history) {
      threads.rewind(conversation.id(), checkpoint.id());
      var view = conversation.advance();
      for (int i = 0; view.waiting() instanceof Waiting.ForPlan && i < 3; i++) {
        view = conversation.decide(ACCEPT);
      }
      assertThat(scene.runner.started).as("%s", checkpoint.progress()).hasSize(1);
      assertThat(view.waiting()).isInstanceOf(Waiting.ForCommand.class);
    }
    // Nothing in the workspace was rewound, and the change can still be taken back.
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\none\n");
    var change = scene.undo.changes(work).getFirst();
    scene.undo.undo(work, change.id());
    assertThat(Files.readString(work.resolve("log"))).isEqualTo("begun\n");
  }

  @Test
  void a_fork_is_a_conversation_of_its_own_whose_approvals_are_not_valid_in_the_other()
      throws Exception {
    var scene = threeLines();
    var session = scene.session();
    var conversation = session.ask("Add three lines");
    conversation.advance();
    conversation.decide(ACCEPT);
    var asked = Scene.request(conversation.view());
    var fork = session.fork(conversation.id());
    assertThat(fork.id()).isNotEqualTo(conversation.id());
    var inFork = Scene.request(fork.advance());
    assertThat(fork.view().info().id()).isEqualTo(fork.id());
    assertThat(session.record().conversations()).containsExactly(conversation.id(), fork.id());

    // The question of the fork was made for the other one: its answer starts nothing.
    var again = Scene.request(fork.approve(inFork.digest().hex(), ""));
    assertThat(again.changed()).containsExactly("conversation");
    assertThat(again.digest().hex()).isNotEqualTo(asked.digest().hex());
    assertThatThrownBy(() -> conversation.approve(again.digest().hex(), ""))
        .isInstanceOf(NotApproved.class);
    assertThat(scene.runner.started).isEmpty();

    Scene.approve(fork);
    assertThat(scene.runner.started).containsExactly("echo one >> log");
    assertThat(Scene.request(conversation.view())).isEqualTo(asked);
    // A rule is not enough for what ran in the other one.
    scene.rules.allowed.add("echo one >> log");
    conversation.decide(new Decision.Edit("echo one >> log"));
    assertThat(scene.runner.started).hasSize(1);
    assertThat(Scene.request(conversation.view()).reasons()).anyMatch(r -> r.contains("was left"));
    assertThat(conversation.changes()).isEmpty();
    assertThat(fork.changes()).hasSize(1);
  }

  @Test
  void the_question_names_what_no_undo_takes_back() throws Exception {
    Files.writeString(work.resolve("large"), "x".repeat(5000));
    undo.close();
    undo = undo(folder.resolve("changes"), new UndoLimits(1000, 1 << 20, 100));
    var scene =
        scene(
            Scene.plan("Remove some files"),
            Scene.last("rm large log /opt/other && curl https://a.example", "echo harmless"));
    var conversation = scene.session().ask("Remove some files");
    conversation.advance();
    conversation.decide(ACCEPT);
    assertThat(Scene.request(conversation.view()).lasting())
        .anyMatch(each -> each.contains("/opt/other"))
        .anyMatch(each -> each.contains("a.example"))
        .anyMatch(each -> each.contains("the content of large: it is larger than"))
        .noneMatch(each -> each.contains("log"));
    var harmless = conversation.decide(new Decision.Alternative());
    assertThat(Scene.request(harmless).lasting()).isEmpty();
  }

  @Test
  void where_nothing_can_be_undone_the_question_says_so_and_if_that_is_new_nothing_starts()
      throws Exception {
    var scene = scene(Scene.plan("Write a file here"), Scene.last("echo x > new"));
    scene.undo = undo(folder.resolve("changes"), new UndoLimits(1000, 1 << 20, 3));
    var conversation = scene.session().ask("Write a file");
    conversation.advance();
    conversation.decide(ACCEPT);
    assertThat(Scene.request(conversation.view()).lasting()).isEmpty();
    scene.undo.close();
    for (int i = 0; i < 5; i++) Files.writeString(work.resolve("more" + i), "");
    var asked = Scene.approve(conversation);
    assertThat(scene.runner.started).isEmpty();
    assertThat(Scene.request(asked).changed()).asString().contains("undo: ", "more than 3 files");
    assertThat(Scene.request(asked).lasting()).asString().contains("more than 3 files");
    // Who approves it all the same has been told.
    Scene.approve(conversation);
    assertThat(work.resolve("new")).hasContent("x");
    assertThat(conversation.view().attempts().getLast().change()).isEmpty();
  }

  @Test
  void a_typed_command_is_recorded_as_well() throws Exception {
    var scene = scene();
    var session = scene.session();
    session.run("echo typed >> log");
    session.run("cat log");
    assertThat(session.changes()).hasSize(1);
    session.undo(session.changes().getFirst().id());
    assertThat(work.resolve("log")).hasContent("begun");
  }
}
