package dev.superstep.terminal.internal.form;

import dev.superstep.json.Json;
import dev.superstep.language.VisibleText;
import dev.superstep.terminal.internal.form.FormProblem.Code;
import dev.superstep.terminal.risk.InputKind;
import java.util.List;

/// The form of a model's word on what a line is:
/// `{"class":"shell","confidence":0.9,"reasoning":"..."}`.
public final class InputForm {
  /// The name of the form, for models.
  public static final String NAME = "input";

  private static final ReplyForm<Answer> FORM =
      ReplyForm.of(NAME, InputReply.class, InputForm::checked);

  private static final int REASONING_MAX = 300;

  private InputForm() {}

  /// The answer.
  ///
  /// @param kind a command or a sentence
  /// @param confidence from 0 to 1
  public record Answer(InputKind kind, double confidence, String reasoning) {}

  /// The fields of the reply.
  record InputReply(String kind, double confidence, String reasoning) {}

  /// The schema of the form.
  public static Json schema() {
    return Json.parse(FORM.schema().text().replace("\"kind\"", "\"class\""));
  }

  /// Reads a reply. No component can be named `class`, so the field has another name inside.
  public static ReplyForm.Read<Answer> read(String text) {
    boolean isMisnamed = text.contains("\"kind\"");
    return FORM.read(isMisnamed ? "{}" : text.replaceFirst("\"class\"(?=\\s*:)", "\"kind\""));
  }

  private static Answer checked(InputReply reply, List<FormProblem> problems) {
    boolean isShell = reply.kind().equals("shell");
    if (!isShell && !reply.kind().equals("prompt")) {
      problems.add(new FormProblem(Code.WRONG_FIELDS, "`class` is `shell` or `prompt`."));
    }
    if (!(reply.confidence() >= 0 && reply.confidence() <= 1)) {
      problems.add(new FormProblem(Code.WRONG_FIELDS, "`confidence` is from 0 to 1."));
    }
    var reasoning = VisibleText.line(reply.reasoning());
    var shown =
        reasoning
            .codePoints()
            .limit(REASONING_MAX)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    return new Answer(isShell ? InputKind.SHELL : InputKind.PROMPT, reply.confidence(), shown);
  }
}
