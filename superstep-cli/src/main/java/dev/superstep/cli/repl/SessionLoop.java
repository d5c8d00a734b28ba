package dev.superstep.cli.repl;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.screen.Style;
import dev.superstep.json.SuperstepException;
import dev.superstep.repl.agent.TypedSession;
import dev.superstep.run.ThreadState;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Collectors;

/// Takes cells and commands until there are no more. One thread at a time.
final class SessionLoop {
  private static final int SCRIPT_MAX = 64 << 10;

  private final Parts parts;
  private final String resume;
  private final SessionOutput output;
  private final SessionHelp help;
  private boolean hasFailed;
  private boolean isWaiting;

  /// The parts of a session.
  record Parts(
      Host host,
      TypedSession session,
      Cells cells,
      SessionTexts texts,
      SessionGrants grants,
      SessionSpending spending) {}

  /// @param resume the command that goes on with the session
  SessionLoop(Parts parts, String resume, SessionOutput output) {
    this.parts = parts;
    this.resume = resume;
    this.output = output;
    this.help = new SessionHelp(parts.session(), parts.grants(), parts.spending());
  }

  ReplLanguage language() {
    return new ReplLanguage(parts.session(), parts.grants().names());
  }

  /// The exit code of what ran.
  int exit() {
    if (isWaiting) return ExitCodes.INTERRUPTED;
    return hasFailed ? ExitCodes.FAILED : ExitCodes.COMPLETED;
  }

  /// Returns whether a cell waits for an answer, so that no other one can run.
  boolean isWaiting() {
    return isWaiting;
  }

  /// Says what cells may call, in the first line.
  void greet(String thread, Optional<String> allowed) {
    var names = parts.grants().names();
    var granted =
        names.isEmpty()
            ? "nothing is granted: cells compute and reach nothing else (--allow FILE)"
            : "granted by " + allowed.orElse("") + ": " + granted();
    output.say("superstep: " + granted, Style.FAINT);
    boolean isSeen = parts.host().terminal().asks();
    var help = isSeen ? "; `help` tells more, Ctrl-D leaves" : "";
    output.say("superstep: thread " + thread + help, Style.FAINT);
  }

  private String granted() {
    return parts.grants().names().entrySet().stream()
        .map(entry -> entry.getKey() + " " + String.join(", ", entry.getValue()))
        .collect(Collectors.joining("; "));
  }

  /// Goes on with a cell that did not get to its end.
  ///
  /// @return whether it is at its end now
  boolean goOn(ThreadState state) throws InterruptedException {
    if (state.next().isEmpty() && state.questions().isEmpty()) return true;
    output.say("superstep: the last cell is resumed", Style.FAINT);
    note(parts.cells().resume(state.questions()));
    return !isWaiting;
  }

  /// Takes everything from an input.
  ///
  /// @param history remembers what is typed; empty if nobody types
  void run(CellInput input, Optional<SessionHistory> history)
      throws IOException, InterruptedException {
    while (!isWaiting) {
      var typed = input.next();
      if (typed.isEmpty()) return;
      if (history.isPresent()) history.get().add(typed.get());
      var line = Line.of(typed.get(), this::isVariable);
      if (line instanceof Line.Quit) return;
      take(line);
    }
  }

  private boolean isVariable(String name) {
    return parts.session().variables().stream().anyMatch(v -> v.name().equals(name));
  }

  /// Does what a line says.
  void take(Line line) throws InterruptedException {
    try {
      switch (line) {
        case Line.Cell(var text) -> note(parts.cells().run(text, ""));
        case Line.LoadScript(var path) -> script(path);
        case Line.LoadContext(var path) -> context(path);
        case Line.Help _ -> output.told(help.all());
        case Line.ShowVariables _ -> output.told(help.variables());
        case Line.ShowGranted _ -> output.told(help.granted());
        case Line.Budget _ -> output.told(help.budget());
        case Line.Status _ -> output.told(help.status(resume));
        case Line.Quit _ -> {}
        case Line.Unknown(var why) -> {
          hasFailed = true;
          output.error("command.unknown", why);
        }
      }
    } catch (SuperstepException e) {
      hasFailed = true;
      output.error(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private void script(String path) throws InterruptedException {
    var text = TextFile.read(parts.host().path(path), SCRIPT_MAX, "script");
    if (text.isBlank()) return;
    note(parts.cells().run(text, path));
  }

  private void context(String path) throws InterruptedException {
    var text = parts.texts().load(path);
    if (parts.cells().load(text) != Cells.End.COMPLETE) return;
    output.note("context: Text, %,d".formatted(text.text().length()));
  }

  private void note(Cells.End end) {
    switch (end) {
      case COMPLETE, STOPPED -> {}
      case FAILED -> hasFailed = true;
      case WAITING -> {
        isWaiting = true;
        output.say(
            "superstep: the cell waits, and what it called is kept; resume with: " + resume,
            Style.WARNING);
      }
    }
  }
}
