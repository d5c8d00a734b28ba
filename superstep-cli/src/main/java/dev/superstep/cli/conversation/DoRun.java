package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.screen.Screen;
import dev.superstep.terminal.privacy.OutputFence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The work of `superstep do`.
public final class DoRun {
  private static final int INPUT_MAX = 64 * 1024;
  private static final int LINES_MAX = 100_000;

  private final Host host;
  private final TerminalOptions options;
  private final Request request;

  private DoRun(Host host, TerminalOptions options, Request request) {
    this.host = host;
    this.options = options;
    this.request = request;
  }

  /// The prompt, or the conversation to resume, and its options.
  ///
  /// @param prompt empty if a conversation is resumed
  /// @param resumed the conversation that goes on; empty for a new one
  /// @param extent `run`, `plan`, `command` or `dry`
  public record Request(String prompt, String resumed, String extent) {
    ConversationRun.Extent howFar() {
      return switch (extent) {
        case "plan" -> ConversationRun.Extent.PLAN;
        case "command" -> ConversationRun.Extent.COMMAND;
        case "dry" -> ConversationRun.Extent.DRY;
        default -> ConversationRun.Extent.RUN;
      };
    }
  }

  /// Runs one conversation.
  ///
  /// @return the exit code
  public static int run(Host host, TerminalOptions options, Request request) {
    try {
      return new DoRun(host, options, request).run();
    } catch (IOException e) {
      throw new UncheckedIOException("The terminal cannot be used: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    }
  }

  private int run() throws IOException, InterruptedException {
    if (request.resumed().isEmpty() && request.prompt().isBlank()) {
      throw new UsageError("usage", "PROMPT is missing: say what is to be done.");
    }
    var input = input();
    boolean needsPerson = request.howFar() == ConversationRun.Extent.RUN && options.looks().asks();
    var screen =
        needsPerson ? Screen.open(host, options.looks().plain()) : Optional.<Screen>empty();
    try {
      return run(screen.orElse(null), input);
    } finally {
      if (screen.isPresent()) screen.get().close();
    }
  }

  /// Standard input, if it is no terminal.
  private String input() {
    if (host.terminal().asks() || host.terminal().typesInto()) return "";
    var text = new StringBuilder();
    for (int i = 0; i < LINES_MAX && text.length() < INPUT_MAX; i++) {
      var line = host.terminal().readLine();
      if (line.isEmpty()) break;
      text.append(line.get()).append('\n');
    }
    return text.length() > INPUT_MAX ? text.substring(0, INPUT_MAX) : text.toString();
  }

  private int run(@Nullable Screen screen, String input) throws InterruptedException {
    var output = new ConversationOutput(host.terminal(), options.looks().json(), screen);
    var person = screen == null ? Person.nobody() : new ScreenPerson(screen);
    try (var terminal = OpenTerminal.open(host, options, person)) {
      var interrupts = new Interrupts(terminal.runner());
      var conversations =
          new ConversationRun(terminal, person, output, interrupts, request.howFar());
      var found = conversation(terminal, input);
      var id = found.conversation().id();
      var lock = ConversationLock.take(terminal.files().lock(id));
      if (lock.isEmpty()) return new ConversationWatch(output).follow(found.conversation());
      try (var _ = lock.get()) {
        leaveBy(terminal, screen, id);
        interrupts.listen(host.stop());
        if (!request.resumed().isEmpty()) output.skip(found.conversation().view());
        var end = conversations.run(found.session(), found.conversation());
        var resume = end.view().status().isFinal() ? Optional.<String>empty() : resume(id);
        output.end(end.view(), end.waitsFor(), end.exit(), resume);
        return end.exit();
      }
    }
  }

  /// Says how to go on if the process is told to end.
  private void leaveBy(OpenTerminal terminal, @Nullable Screen screen, String id) {
    host.stop()
        .runEnded(() -> {
          terminal.runner().end();
          if (screen != null) screen.restore();
          host.terminal().err().println("\nresume with: " + resume(id).orElse(""));
          host.terminal().err().flush();
        });
  }

  private Optional<String> resume(String id) {
    var model = options.model().map(url -> " --model " + ShellText.word(url)).orElse("");
    return Optional.of(host.command() + " do --resume " + id + model);
  }

  private OpenTerminal.Found conversation(OpenTerminal terminal, String input) {
    if (!request.resumed().isEmpty()) return terminal.find(request.resumed());
    var session = terminal.session();
    return new OpenTerminal.Found(session, session.ask(prompt(input)));
  }

  private String prompt(String input) {
    if (input.isBlank()) return request.prompt();
    return request.prompt()
        + "\n\n"
        + new OutputFence(INPUT_MAX, new SecureRandom()).fence(ConversationRun.INPUT, input);
  }
}
