package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.terminal.privacy.ConsentStore;
import dev.superstep.terminal.risk.InputClassification;
import dev.superstep.terminal.risk.InputClassifier;
import dev.superstep.terminal.risk.InputKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lines of which the rules cannot tell what they are may be decided by a model, if a person wants
/// that and agreed that lines go to it.
@Tag("C2")
final class InputJudgeTest {
  @TempDir Path folder;

  private static final InputClassification OPEN =
      new InputClassification(
          InputKind.AMBIGUOUS,
          InputKind.PROMPT,
          0.5,
          List.of("It could be both."),
          List.of("both"),
          "find hunter2 files");

  private static InputClassification judged(ScriptedModel model, boolean mayAsk) throws Exception {
    return InputJudge.of(model, text -> text.replace("hunter2", "[secret]"), () -> mayAsk)
        .judge(OPEN);
  }

  @Test
  void a_model_decides_by_strict_json_and_sees_no_secret() throws Exception {
    var model =
        ScriptedModel.saying(
            "{\"class\":\"shell\",\"confidence\":0.8,\"reasoning\":\"find is a program\"}");
    var judged = judged(model, true);
    assertThat(judged.kind()).isEqualTo(InputKind.SHELL);
    assertThat(judged.confidence()).isEqualTo(0.8);
    assertThat(judged.reasons()).contains("A model says: find is a program");
    assertThat(judged.patterns()).contains("model");
    assertThat(judged.text()).isEqualTo(OPEN.text());
    assertThat(model.requests().getFirst().messages().toString())
        .contains("[secret]")
        .doesNotContain("hunter2");
  }

  @Test
  void without_an_answer_in_the_form_the_guess_of_the_rules_stands() throws Exception {
    for (var wrong :
        List.of(
            "shell",
            "{}",
            "{\"class\":\"both\",\"confidence\":0.8,\"reasoning\":\"x\"}",
            "{\"class\":\"shell\",\"confidence\":7,\"reasoning\":\"x\"}",
            "{\"class\":\"shell\",\"confidence\":0.8}",
            "Sure: {\"class\":\"shell\",\"confidence\":0.8,\"reasoning\":\"x\"}")) {
      var judged = judged(ScriptedModel.saying(wrong), true);
      assertThat(judged.kind()).as(wrong).isEqualTo(InputKind.PROMPT);
      assertThat(judged.patterns()).contains("guess");
    }
    var failing =
        ScriptedModel.by(_ -> {
          throw new ModelException(ModelException.Kind.TIMEOUT, "late");
        });
    assertThat(judged(failing, true).kind()).isEqualTo(InputKind.PROMPT);
  }

  @Test
  void nothing_goes_to_a_vendor_to_which_nobody_agreed() throws Exception {
    var consents = ConsentStore.at(folder.resolve("agreed.json"));
    var model =
        ScriptedModel.saying(
            "{\"class\":\"shell\",\"confidence\":1,\"reasoning\":\"x\"}",
            "{\"class\":\"shell\",\"confidence\":1,\"reasoning\":\"x\"}");
    var judge = InputJudge.of(model, text -> text, () -> consents.isGiven("vendor", folder));
    assertThat(judge.judge(OPEN).kind()).isEqualTo(InputKind.PROMPT);
    assertThat(model.requests()).isEmpty();
    consents.require("vendor", folder, (_, _) -> true);
    assertThat(judge.judge(OPEN).kind()).isEqualTo(InputKind.SHELL);
    assertThat(model.requests()).hasSize(1);
  }

  @Test
  void what_the_rules_know_is_not_asked() throws Exception {
    var model = ScriptedModel.saying();
    var judge = InputJudge.of(model, text -> text, () -> true);
    var rules = InputClassifier.standard();
    for (var line : List.of("ls -la", "please tidy up this folder", "!find it", "?ls")) {
      var known = rules.classify(line, name -> name.equals("ls"));
      assertThat(judge.judge(known)).isEqualTo(known);
    }
    assertThat(model.requests()).isEmpty();
  }
}
