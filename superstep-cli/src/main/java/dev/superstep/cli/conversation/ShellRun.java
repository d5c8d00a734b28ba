package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.Style;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.TerminalConversation;
import dev.superstep.terminal.TerminalSession;
import dev.superstep.terminal.TerminalSession.Typed;
import dev.superstep.terminal.risk.InputClassifier;
import dev.superstep.terminal.risk.InputKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The work of `superstep shell`: a session in which commands run at once, and sentences begin
/// conversations. One thread at a time.
public final class ShellRun {
  private static final String HELP =
      "A command runs at once, in the sandbox; a sentence begins a conversation. `!` before a line"
          + " makes it a command, `?` a sentence. :list lists conversations, :go N goes on with"
          + " one, :help shows this, :quit or Ctrl-D ends. Ctrl-C stops a command; the next one"
          + " ends the conversation.";

  private final Host host;
  private final Screen screen;
  private final OpenTerminal terminal;
  private final Person person;
  private final ConversationOutput output;
  private final Interrupts interrupts;
  private final ConversationRun conversations;
  private final TerminalSession session;
  private final List<String> history = new ArrayList<>();

  private ShellRun(Host host, Screen screen, OpenTerminal terminal, Person person) {
    this.host = host;
    this.screen = screen;
    this.terminal = terminal;
    this.person = person;
    this.output = new ConversationOutput(host.terminal(), false, screen);
    this.interrupts = new Interrupts(terminal.runner());
    this.conversations =
        new ConversationRun(terminal, person, output, interrupts, ConversationRun.Extent.RUN);
    this.session = terminal.session();
    session.record().commands().forEach(typed -> history.add(recalled(typed.command())));
  }

  /// Runs a session until the user ends it.
  ///
  /// @return the exit code
  public static int run(Host host, TerminalOptions options) {
    try {
      var opened = Screen.open(host, options.looks().plain());
      if (opened.isEmpty()) {
        throw new UsageError(
            "shell.no-terminal",
            "A session needs a terminal. Without one, use `" + host.command() + " do PROMPT`.");
      }
      try (var screen = opened.get()) {
        var person = new ScreenPerson(screen);
        try (var terminal = OpenTerminal.open(host, options, person)) {
          host.stop()
              .runEnded(() -> {
                terminal.runner().end();
                screen.restore();
              });
          var shell = new ShellRun(host, screen, terminal, person);
          shell.interrupts.listen(host.stop());
          return shell.loop();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The terminal cannot be used: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    }
  }

  private int loop() throws IOException, InterruptedException {
    output.say(HELP, Style.FAINT);
    while (true) {
      var typed = screen.prompt(place() + " $ ", history);
      if (typed.isEmpty()) return ExitCodes.COMPLETED;
      var line = typed.get().strip();
      if (line.isEmpty()) continue;
      history.add(line);
      if (line.equals(":quit") || line.equals("exit")) return ExitCodes.COMPLETED;
      if (line.startsWith(":")) control(line);
      else take(line);
    }
  }

  private String place() {
    var record = session.record();
    var inside = Path.of(record.workspace()).relativize(Path.of(record.directory())).toString();
    var name = Path.of(record.workspace()).getFileName();
    return (name == null ? "/" : name.toString()) + (inside.isEmpty() ? "" : "/" + inside);
  }

  private void take(String line) throws InterruptedException {
    var input = InputClassifier.standard().classify(line, this::isProgram);
    var kind =
        switch (input.kind()) {
          case SHELL -> InputKind.SHELL;
          case PROMPT -> InputKind.PROMPT;
          case AMBIGUOUS ->
              person.agrees("Run this as a command? Otherwise it is a sentence: " + input.text())
                  ? InputKind.SHELL
                  : InputKind.PROMPT;
        };
    if (input.text().isBlank()) return;
    if (kind == InputKind.SHELL) run(input.text());
    else go(session.ask(input.text()));
  }

  /// A command of an earlier session as it has to be typed to be one again.
  private String recalled(String command) {
    var kind = InputClassifier.standard().classify(command, this::isProgram).kind();
    return kind == InputKind.SHELL ? command : "!" + command;
  }

  private boolean isProgram(String name) {
    if (name.contains("/")) return Files.isExecutable(Path.of(session.record().directory(), name));
    for (var folder : host.variable("PATH").orElse("").split(":", -1)) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) return true;
    }
    return false;
  }

  private void run(String command) throws InterruptedException {
    switch (session.run(command)) {
      case Typed.Ran(var result) -> output.result(result);
      case Typed.Denied(var reasons) ->
          output.say("Denied: " + String.join(" ", reasons), Style.DANGER);
    }
  }

  private void go(TerminalConversation conversation) throws InterruptedException {
    var lock = ConversationLock.take(terminal.files().lock(conversation.id()));
    if (lock.isEmpty()) {
      output.say("Another terminal has this conversation.", Style.WARNING);
      return;
    }
    try (var _ = lock.get()) {
      var end = conversations.run(session, conversation);
      output.view(end.view());
      output.settle();
      output.skipped(end.view());
      if (!end.view().status().isFinal()) {
        output.say("It waits; `:go " + end.view().info().name() + "` goes on.", Style.PLAIN);
      }
    }
  }

  private void control(String line) throws InterruptedException {
    var words = line.split("\\s+");
    switch (words[0]) {
      case ":list" -> list();
      case ":go" -> goOn(words);
      default -> output.say(HELP, Style.FAINT);
    }
  }

  private void list() {
    var all = session.conversations();
    if (all.isEmpty()) output.say("No conversations yet.", Style.PLAIN);
    for (int i = 0; i < all.size(); i++) {
      output.say("%2d  %s".formatted(i + 1, all.get(i).statusLine()), Style.PLAIN);
    }
  }

  private void goOn(String[] words) throws InterruptedException {
    var all = session.conversations();
    var chosen = words.length > 1 ? chosen(words[1], all) : Optional.<ConversationView>empty();
    var found = chosen.flatMap(view -> session.conversation(view.info().id()));
    if (found.isEmpty()) {
      output.say(":go takes a number or a name of :list.", Style.WARNING);
      return;
    }
    output.skip(found.get().view());
    go(found.get());
  }

  /// A conversation by its number, or the newest of a name.
  private static Optional<ConversationView> chosen(String word, List<ConversationView> all) {
    if (!word.matches("\\d{1,3}")) {
      return all.stream().filter(view -> view.info().name().equals(word)).findFirst();
    }
    int index = Integer.parseInt(word) - 1;
    return index >= 0 && index < all.size() ? Optional.of(all.get(index)) : Optional.empty();
  }
}
