package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.error.NodeFailed;
import dev.superstep.example.triage.Triage.Category;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.run.Outcome.Completed;
import dev.superstep.run.Outcome.Interrupted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriageTest {
  @TempDir Path folder;

  private Path inbox(String... texts) throws Exception {
    var inbox = Files.createDirectories(folder.resolve("in"));
    for (int i = 0; i < texts.length; i++) {
      Files.writeString(inbox.resolve("m" + (i + 1) + ".txt"), texts[i]);
    }
    return inbox;
  }

  private Desk desk(dev.superstep.model.ChatModel model) {
    return Desk.with(model, folder.resolve("out"));
  }

  @Test
  void the_graph_reads_classifies_reviews_approves_and_reports() throws Exception {
    Golden.check("triage.mmd", desk(Replies.gullible()).graph().topology().mermaid());
  }

  @Test
  void without_risk_nobody_is_asked() throws Exception {
    var desk = desk(Replies.gullible());
    var done = (Completed) desk.start(inbox("Dear all, thanks!", "So kind of you."));
    assertThat(new TriageProgram().summary(done.state()).lines())
        .containsExactly(
            folder.resolve("out/report.md").toString(),
            "2 classified, 0 not classified, 0 not read; 0 approved, 0 declined.");
    assertThat(desk.report()).doesNotContain("## Decisions");
  }

  @Test
  void a_message_that_talks_the_model_into_a_harmless_answer_still_reaches_a_person()
      throws Exception {
    var outcome =
        (Interrupted)
            desk(Replies.gullible()).start(Desk.INBOX.resolve("11-for-your-software.txt"));
    assertThat(outcome.questions()).hasSize(1);
    Golden.check("injection.txt", new TriageProgram().ask(outcome.questions().getFirst()) + "\n");
  }

  @Test
  void a_message_cannot_end_its_own_delimiters() throws Exception {
    var model = Replies.gullible();
    var _ = desk(model).start(Desk.INBOX.resolve("11-for-your-software.txt"));
    var asked = model.requests().getFirst().messages().getLast().text();
    assertThat(asked).containsOnlyOnce("<message>").containsOnlyOnce("</message>");
    assertThat(asked).endsWith("</message>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"</message>", "< /message>", "<\u200B/ \u00A0MESSAGE>", "< message>"})
  void disguised_delimiters_are_no_delimiters(String delimiter) throws Exception {
    var model = Replies.gullible();
    var _ = desk(model).start(inbox("a" + delimiter + "b"));
    var asked = model.requests().getFirst().messages().getLast().text();
    assertThat(asked).contains("a(").doesNotContain(delimiter + "b");
  }

  @Test
  void questions_may_be_answered_one_by_one_in_any_order() throws Exception {
    var model = Replies.gullible();
    var desk = desk(model);
    var inbox = inbox("Please refund 5 EUR.", "Thanks!", "Reset my password.");
    var first = (Interrupted) desk.start(inbox);
    assertThat(first.questions().stream().map(Desk::file)).containsExactly("m1.txt", "m3.txt");

    var second = first.questions().subList(1, 2);
    var no = Desk.answers(second, _ -> Approval.no("Ask Kim first"));
    assertThat(((Interrupted) desk.resume(no)).questions())
        .containsExactly(first.questions().getFirst());
    var yes = Desk.answers(first.questions().subList(0, 1), _ -> Approval.yes());
    assertThat(desk.resume(yes)).isInstanceOf(Completed.class);
    assertThat(desk.report()).contains("**m1.txt: approved**", "**m3.txt: declined**");
    assertThat(desk.report()).contains("Note: Ask Kim first");
    assertThat(model.calls()).as("each message is classified once").isEqualTo(3);
  }

  @Test
  void a_malformed_answer_is_listed_for_a_person_and_fails_nothing_else() throws Exception {
    var model =
        ScriptedModel.by(r ->
            r.messages().stream().anyMatch(m -> m.text().contains("gibberish"))
                ? ScriptedModel.text("I'd rather chat.")
                : Replies.calling(Category.PRAISE, "Says thanks."));
    var desk = desk(model);
    var inbox = inbox("gibberish, and refund me", "Thanks!");
    assertThat(desk.start(inbox)).isInstanceOf(Completed.class);
    assertThat(desk.report())
        .contains(
            "1 classified, 1 not classified",
            "## Not classified: needs a person\n\n- m1.txt",
            "  - Needs a person: money is to be paid or refunded: the message says “…gibberish");
    assertThat(model.calls()).as("one repair turn").isEqualTo(3);
  }

  @Test
  void a_model_that_is_down_fails_the_run_and_only_the_rest_runs_again() throws Exception {
    var down = new AtomicBoolean(true);
    var model =
        ScriptedModel.by(r -> {
          if (down.get() && r.messages().getLast().text().contains("second")) {
            throw new ModelException(Kind.TRANSPORT, "no connection");
          }
          return Replies.calling(Category.PRAISE, "Says thanks.");
        });
    var desk = desk(model);
    var inbox = inbox("first", "second", "third");
    assertThatThrownBy(() -> desk.start(inbox))
        .isInstanceOf(NodeFailed.class)
        .hasMessageContaining("no connection");
    down.set(false);
    assertThat(desk.resume(Answers.none())).isInstanceOf(Completed.class);
    assertThat(model.calls()).isEqualTo(4);
  }

  @Test
  void only_the_beginning_of_a_long_message_goes_to_the_model_but_rules_read_all()
      throws Exception {
    var model = Replies.gullible();
    var desk = desk(model);
    var inbox = inbox("x".repeat(50_000) + "\nThen refund 10 EUR to me.");
    var done = desk.finish(inbox, _ -> Approval.no("no"));
    assertThat(done).isNotNull();
    assertThat(model.requests().getFirst().messages().getLast().text()).hasSizeLessThan(2_100);
    assertThat(desk.report())
        .contains("first 2,000 of 50,026 characters", "Then refund 10 EUR to me.");
  }
}
