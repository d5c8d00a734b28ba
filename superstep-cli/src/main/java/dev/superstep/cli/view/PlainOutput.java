package dev.superstep.cli.view;

import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.event.Event;
import java.util.List;
import java.util.Optional;

/// Output for people: the result on stdout, everything else on stderr.
public final class PlainOutput implements Output {
  private final Terminal terminal;
  private final boolean debug;
  private final RunProgress progress;

  public PlainOutput(Terminal terminal, boolean debug) {
    this.terminal = terminal;
    this.debug = debug;
    this.progress = new RunProgress(terminal);
  }

  @Override
  public Terminal terminal() {
    return terminal;
  }

  @Override
  public boolean debug() {
    return debug;
  }

  @Override
  public void notice(String text) {
    err("superstep: " + SafeText.line(text));
  }

  @Override
  public void event(Event event) {
    progress.on(event);
  }

  @Override
  public void clear() {
    progress.clear();
  }

  @Override
  public void end(RunSummary summary) {
    clear();
    summary.text().ifPresent(text -> out(SafeText.of(text).stripTrailing()));
    switch (summary.kind()) {
      case COMPLETED -> out("thread: " + summary.place().thread());
      case INTERRUPTED -> {
        questions(summary);
        out("thread: " + summary.place().thread());
        out("interrupted; go on with: " + summary.place().resume());
      }
      case STOPPED -> {
        out("thread: " + summary.place().thread());
        out("stopped; what finished is kept; go on with: " + summary.place().resume());
      }
    }
  }

  @Override
  public void report(ErrorReport failure, Optional<ThreadLocation> kept) {
    err("error[" + failure.code() + "]: " + failure.message());
    kept.ifPresent(place -> err("what finished is kept; go on with: " + place.resume()));
  }

  private void questions(RunSummary summary) {
    int open = summary.questions().size();
    out(open == 1 ? "1 question is open:" : open + " questions are open:");
    for (var question : summary.questions()) {
      out("");
      out("%d (%s) %s".formatted(question.position(), question.id(), question.question()));
      out(ForeignText.framed(question.text()));
    }
    out("");
    out(
        "Answer at a terminal, with --yes, or one by one, such as --answer "
            + example(summary.questions())
            + ".");
  }

  // By id, since positions change with every answer.
  private static String example(List<OpenQuestion> open) {
    for (var question : open) if (question.isApproval()) return question.id() + "=yes";
    var first = open.getFirst();
    return first.id() + (first.isText() ? "=TEXT" : "=JSON");
  }

  private void out(String text) {
    terminal.out().println(SafeText.of(text));
    terminal.out().flush();
  }

  private void err(String text) {
    terminal.err().println(text);
    terminal.err().flush();
  }
}
