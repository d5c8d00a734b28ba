package dev.superstep.cli.screen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Asks a person whether a command may run. Only a key that was pressed on its own, after the whole
/// command could be read, approves. One thread at a time.
public final class ApprovalDialog {
  private static final char APPROVE = 'a';
  private static final String BAR = "| ";

  private final Painter painter;
  private final KeyReader keys;
  private final ApprovalView view;
  private boolean isExplained;

  public ApprovalDialog(Painter painter, KeyReader keys, ApprovalView view) {
    this.painter = painter;
    this.keys = keys;
    this.view = view;
    this.isExplained = view.prose().isAsked();
  }

  /// Asks until there is an answer.
  public ApprovalAnswer ask() throws IOException {
    var dialog =
        new BlockDialog(painter, keys, new BlockDialog.Content(this::body, choices(), APPROVE));
    while (true) {
      var answer = answer(dialog, dialog.choose());
      if (answer != null) return answer;
    }
  }

  private @Nullable ApprovalAnswer answer(BlockDialog dialog, Key key) throws IOException {
    return switch (key) {
      case Key.Named.CLOSED -> new ApprovalAnswer.Later();
      case Key.Named _, Key.Pasted _ -> new ApprovalAnswer.Abort();
      case Key.Typed(int c) -> answer(dialog, (char) c);
    };
  }

  private @Nullable ApprovalAnswer answer(BlockDialog dialog, char key) throws IOException {
    return switch (key) {
      case APPROVE -> approved(dialog);
      case 'e' -> edited(dialog);
      case 'n' -> new ApprovalAnswer.Next();
      case 's' -> new ApprovalAnswer.Skip();
      case 'b' -> new ApprovalAnswer.Stricter();
      case 'A' -> always(dialog);
      case 'd' -> denied(dialog);
      case 'l' -> new ApprovalAnswer.Later();
      case 'q' -> new ApprovalAnswer.Abort();
      case 'x' -> explained();
      default -> throw new IllegalStateException("no answer has the key " + key);
    };
  }

  private @Nullable ApprovalAnswer approved(BlockDialog dialog) throws IOException {
    var toType = view.offers().toType();
    if (toType.isEmpty()) return new ApprovalAnswer.Approve();
    var typed = dialog.line("Type " + toType + " and press Enter to run it: ", "", false);
    if (typed != null && typed.equals(toType)) return new ApprovalAnswer.Approve();
    dialog.hint("Not approved: that was not `" + toType + "`.");
    return null;
  }

  /// Shows what is known first; the model is asked only by a second key, since that costs.
  private @Nullable ApprovalAnswer explained() {
    if (isExplained && !view.prose().isAsked()) return new ApprovalAnswer.Explain();
    isExplained = !isExplained;
    return null;
  }

  private @Nullable ApprovalAnswer edited(BlockDialog dialog) throws IOException {
    var text = dialog.line("Edit, Enter asks again, Esc goes back: ", view.script(), true);
    if (text == null || text.isBlank() || text.equals(view.script())) return null;
    return new ApprovalAnswer.Edit(text);
  }

  private @Nullable ApprovalAnswer denied(BlockDialog dialog) throws IOException {
    var reason = dialog.line("Why not? The model reads it; Enter for no reason: ", "", true);
    return reason == null ? null : new ApprovalAnswer.Deny(reason.strip());
  }

  private @Nullable ApprovalAnswer always(BlockDialog dialog) throws IOException {
    var always = view.offers().always();
    if (always.rule().isEmpty()) {
      dialog.hint("No rule is offered: " + always.why());
      return null;
    }
    var choices = new ArrayList<KeyChoice>();
    for (var scope : always.scopes()) choices.add(new KeyChoice(scope.key(), scope.label()));
    choices.add(new KeyChoice('q', "back"));
    var content = new BlockDialog.Content(this::rule, choices, always.scopes().getFirst().key());
    var key = new BlockDialog(painter, keys, content).choose();
    return switch (key) {
      case Key.Typed(int c) -> c == 'q' ? null : new ApprovalAnswer.Always((char) c);
      case Key.Named named -> named == Key.Named.CLOSED ? new ApprovalAnswer.Later() : null;
      case Key.Pasted _ -> null;
    };
  }

  private List<KeyChoice> choices() {
    var offers = view.offers();
    var all = new ArrayList<KeyChoice>();
    all.add(new KeyChoice(APPROVE, "approve"));
    all.add(new KeyChoice('e', "edit"));
    if (offers.alternatives()) all.add(new KeyChoice('n', "next"));
    all.add(new KeyChoice('x', "explain"));
    all.add(new KeyChoice('s', "skip"));
    if (!offers.stricter().isEmpty()) all.add(new KeyChoice('b', "stricter"));
    all.add(new KeyChoice('A', "always"));
    all.add(new KeyChoice('d', "deny"));
    all.add(new KeyChoice('l', "later"));
    all.add(new KeyChoice('q', "abort"));
    return all;
  }

  private List<ScreenLine> body(int width) {
    var head = view.head();
    var title =
        "Command %d of this step: %s risk, in %s"
            .formatted(head.number(), head.level(), head.tier());
    var lines = new ArrayList<ScreenLine>();
    var step = head.step();
    lines.addAll(ScreenLine.foreign(step.description(), step.place() + ": ", Style.PLAIN, width));
    lines.addAll(ScreenLine.wrapped(title, Style.STRONG, width));
    lines.addAll(ScreenLine.foreign(view.script(), BAR, Style.PLAIN, width));
    quotes(view.findings(), lines, width);
    for (var warning : view.warnings()) {
      lines.addAll(ScreenLine.wrapped("! " + warning, Style.WARNING, width));
    }
    if (isExplained) explain(lines, width);
    return lines;
  }

  private void explain(List<ScreenLine> lines, int width) {
    lines.addAll(ScreenLine.wrapped("Read from the command itself:", Style.STRONG, width));
    quotes(view.facts(), lines, width);
    if (view.facts().isEmpty()) {
      lines.addAll(ScreenLine.wrapped("  nothing that we know", Style.PLAIN, width));
    }
    lines.addAll(
        ScreenLine.wrapped("Said by the model, and checked by nobody:", Style.STRONG, width));
    var text = view.prose().text();
    lines.addAll(ScreenLine.foreign(text.isBlank() ? "(nothing)" : text, "~ ", Style.FAINT, width));
    if (!view.prose().isAsked()) {
      lines.addAll(ScreenLine.wrapped("x again asks the model for more.", Style.PLAIN, width));
    }
  }

  private static void quotes(List<ApprovalView.Quote> quotes, List<ScreenLine> lines, int width) {
    for (var quote : quotes) {
      lines.addAll(ScreenLine.wrapped("  " + quote.text(), quote.style(), width));
      if (quote.quoted().isEmpty()) continue;
      lines.addAll(ScreenLine.foreign(quote.quoted(), "    " + BAR, quote.style(), width));
    }
  }

  private List<ScreenLine> rule(int width) {
    var always = view.offers().always();
    var lines = new ArrayList<ScreenLine>();
    lines.addAll(ScreenLine.wrapped("From now on this rule would allow:", Style.STRONG, width));
    lines.addAll(ScreenLine.foreign(always.rule(), BAR, Style.PLAIN, width));
    var also =
        always.alsoAllowed().isEmpty()
            ? "It would have allowed none of the earlier commands."
            : "It would also have allowed these earlier commands:";
    lines.addAll(ScreenLine.wrapped(also, Style.PLAIN, width));
    for (var command : always.alsoAllowed()) {
      lines.addAll(ScreenLine.foreign(command, BAR, Style.PLAIN, width));
    }
    lines.addAll(ScreenLine.wrapped("How far shall it reach?", Style.STRONG, width));
    return lines;
  }
}
