package dev.superstep.cli.run;

import dev.superstep.cli.host.Display;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.screen.CellText;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.view.OpenQuestion;
import dev.superstep.cli.view.QuestionText;
import dev.superstep.cli.view.TimeText;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// The status of a thread for people. Long values are folded, with the command that shows them
/// whole. For one status.
final class ThreadText {
  private static final int NAME_WIDTH = 12;
  private static final int LINES_MAX = 4;
  private static final int FILE_LINE_MAX = 200;

  private final ThreadView view;
  private final Display display;
  private final String show;
  private final boolean isFull;
  private final List<String> lines = new ArrayList<>();

  /// Creates the text of a status.
  ///
  /// @param show the command that shows the thread
  /// @param isFull whether values are shown whole
  ThreadText(ThreadView view, Display display, String show, boolean isFull) {
    this.view = view;
    this.display = display;
    this.show = show;
    this.isFull = isFull;
  }

  String text() {
    field("thread", view.thread());
    field("graph", view.graph());
    field("step", view.step() + ", written " + TimeText.minutes(view.at()) + " UTC");
    field("checkpoint", view.checkpoint());
    field("at work", worker());
    field("next", view.next().isEmpty() ? "nothing is due: the thread is done" : due());
    for (var task : view.failed()) field("failed", task.node() + ": " + task.message());
    state();
    questions();
    return String.join("\n", lines);
  }

  private String worker() {
    return view.atWork()
        .map(who -> who.owner() + ", lease until " + TimeText.minutes(who.until()) + " UTC")
        .orElse("nobody");
  }

  private void field(String name, String value) {
    var text = SafeText.line(value);
    var key = strong(name) + " ".repeat(NAME_WIDTH - name.length());
    var parts = wrapped(text, NAME_WIDTH);
    if (parts.size() > 1 && !text.contains(" ")) {
      // An id is not cut, so that it can be copied.
      lines.add(strong(name));
      lines.add(text);
      return;
    }
    lines.add(key + parts.getFirst());
    for (var part : parts.subList(1, parts.size())) lines.add(" ".repeat(NAME_WIDTH) + part);
  }

  private String due() {
    var counts =
        view.next().stream()
            .collect(Collectors.groupingBy(n -> n, LinkedHashMap::new, Collectors.counting()));
    var nodes =
        counts.entrySet().stream()
            .map(e -> e.getValue() == 1 ? e.getKey() : e.getKey() + " x " + e.getValue())
            .collect(Collectors.joining(", "));
    int all = view.next().size();
    return view.finished() == 0
        ? nodes
        : nodes + " (" + view.finished() + " of " + all + " finished)";
  }

  private void state() {
    if (view.state().isEmpty()) return;
    lines.add("");
    lines.add(strong("state"));
    view.state().forEach(this::channel);
  }

  private void channel(String name, Json value) {
    var parts = wrapped(SafeText.line(name + ": " + value.text()), 4);
    int shown = isFull ? parts.size() : Math.min(LINES_MAX, parts.size());
    for (int i = 0; i < shown; i++) lines.add((i == 0 ? "  " : "    ") + shortened(parts.get(i)));
    boolean isCut = shown < parts.size() || !shortened(parts.getFirst()).equals(parts.getFirst());
    if (!isCut) return;
    int size = value.text().length();
    lines.add("    ... " + size + " characters in all:");
    command(name).forEach(lines::add);
  }

  private List<String> command(String channel) {
    var command = show + " --channel " + ShellText.word(channel);
    return ShellText.folded(command, display.columns().orElse(Integer.MAX_VALUE), 4).stream()
        .map(this::strong)
        .toList();
  }

  /// A file has one line for each channel, which is cut if it is long.
  private String shortened(String part) {
    boolean isWhole = isFull || display.isTerminal() || part.length() <= FILE_LINE_MAX;
    return isWhole ? part : CellText.cut(part, FILE_LINE_MAX);
  }

  private void questions() {
    if (!view.questions().isEmpty()) {
      var open = new ArrayList<OpenQuestion>();
      for (var question : view.questions()) open.add(QuestionText.of(question, open.size() + 1));
      lines.add("");
      lines.addAll(new QuestionText(view.answerWith().orElse(""), display).lines(open));
    }
    boolean isNamed = !view.questions().isEmpty() && view.answerWith().isPresent();
    if (isNamed || view.resume().isEmpty()) return;
    lines.add("");
    lines.add("resume with: " + strong(view.resume().get()));
  }

  private List<String> wrapped(String text, int left) {
    if (display.columns().isEmpty()) return List.of(text);
    return CellText.wrapped(text, display.columns().get() - left);
  }

  private String strong(String text) {
    return display.isColored() ? Style.STRONG.of(text) : text;
  }
}
