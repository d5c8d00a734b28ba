package dev.superstep.cli.view;

import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.CellText;
import dev.superstep.event.Event;
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
      case COMPLETED -> {
        out("thread: " + summary.place().thread());
        progress.total().ifPresent(this::notice);
      }
      case INTERRUPTED -> {
        questions(summary);
        out("thread: " + summary.place().thread());
        out("interrupted; resume with: " + summary.place().resume());
      }
      case STOPPED -> {
        out("thread: " + summary.place().thread());
        out("stopped; finished work is saved; resume with: " + summary.place().resume());
      }
    }
  }

  @Override
  public void report(ErrorReport failure, Optional<ThreadLocation> kept) {
    var text = "error[" + failure.code() + "]: " + failure.message();
    text.lines().forEach(this::wrapped);
    kept.ifPresent(place -> err("finished work is saved; resume with: " + place.resume()));
  }

  private void questions(RunSummary summary) {
    var text = new QuestionText(summary.place().resume(), terminal.display());
    text.lines(summary.questions()).forEach(terminal.out()::println);
    terminal.out().println();
  }

  private void out(String text) {
    terminal.out().println(SafeText.of(text));
    terminal.out().flush();
  }

  /// On a terminal, sentences break at words.
  private void wrapped(String line) {
    if (!terminal.redraws()) err(line);
    else CellText.wrapped(line, terminal.display().size().getAsInt()).forEach(this::err);
  }

  private void err(String text) {
    terminal.err().println(text);
    terminal.err().flush();
  }
}
