package dev.superstep.cli.chat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/// The work of `superstep chat`: a conversation with an agent, whose thread is stored, so that one
/// that was left or killed goes on.
public final class ChatRun {
  private final Host host;
  private final ChatRequest request;
  private final ChatOutput output;
  private final boolean isSeen;

  private ChatRun(Host host, ChatRequest request) {
    this.host = host;
    this.request = request;
    this.isSeen = host.terminal().asks() && !request.looks().events().json();
    this.output = new ChatOutput(host.terminal(), request.looks(), isSeen);
  }

  /// Runs a conversation until its end.
  ///
  /// @return the exit code
  public static int run(Host host, ChatRequest request) {
    var work = new ChatRun(host, request);
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("The conversation cannot go on: " + e.getMessage(), e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    } catch (RuntimeException | Error e) {
      return work.output.failed(e);
    }
  }

  private int run() throws IOException, InterruptedException {
    var before = before();
    try (var partner = ChatPartner.open(host, request, before, output::notice)) {
      var name =
          ThreadNames.checked(
              request.thread().orElseGet(() -> ThreadNames.fresh(partner.name(), host.chance())));
      var place = ThreadLocation.of(host, name, request.store());
      try (var store = SqliteCheckpointer.open(place.store())) {
        var thread = new ChatThread(host, request, partner, store, name);
        var parts = new ChatParts(partner, store, output);
        if (isSeen) return talk(parts, thread);
        PipedChat.check(request);
        var turns = new ChatTurns(host, output, partner, ChatPerson.nobody());
        return new PipedChat(host, parts, turns, thread, trusted(partner, place)).run();
      }
    }
  }

  private static ThreadLocation trusted(ChatPartner partner, ThreadLocation place) {
    return partner.trusted().map(place::trusting).orElse(place);
  }

  /// The metadata of the thread that the user names; empty if there is nothing of it yet.
  private Optional<Map<String, String>> before() {
    if (request.thread().isEmpty()) return Optional.empty();
    var name = ThreadNames.checked(request.thread().get());
    var place = ThreadLocation.of(host, name, request.store());
    // Opening would make the file.
    if (!Files.exists(place.store())) return Optional.empty();
    try (Checkpointer store = SqliteCheckpointer.open(place.store())) {
      return store.latest(Lineage.of(name)).map(saved -> saved.checkpoint().metadata());
    }
  }

  private int talk(ChatParts parts, ChatThread thread) throws IOException, InterruptedException {
    try (var screen = new OptionalScreen(opened())) {
      var person =
          screen
              .screen()
              .<ChatPerson>map(KeyChatPerson::new)
              .orElseGet(() -> new LineChatPerson(host.terminal()));
      var input =
          screen
              .screen()
              .map(ChatInput::typed)
              .orElseGet(() -> ChatInput.lines(host.terminal(), "> "));
      var turns = new ChatTurns(host, output, parts.partner(), person);
      var loop = new ChatLoop(host, request, parts, turns, thread);
      host.stop().onInterrupt(() -> interrupt(turns));
      screen.screen().ifPresent(shown -> host.stop().runEnded(shown::restore));
      loop.begin();
      loop.run(input);
      return loop.exit();
    }
  }

  /// Ctrl-C: the first cancels the turn, another one ends the process.
  private static void interrupt(ChatTurns turns) {
    if (turns.interrupt()) return;
    Thread.ofPlatform()
        .name("superstep-leave")
        .start(() -> Runtime.getRuntime().exit(ExitCodes.INTERRUPTED));
  }

  /// A screen that may not be there.
  private record OptionalScreen(Optional<Screen> screen) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      if (screen.isPresent()) screen.get().close();
    }
  }

  private Optional<Screen> opened() throws IOException {
    boolean isSimple = host.variable("TERM").map("dumb"::equals).orElse(true);
    return request.looks().plain() || isSimple ? Optional.empty() : Screen.open(host, false);
  }
}
