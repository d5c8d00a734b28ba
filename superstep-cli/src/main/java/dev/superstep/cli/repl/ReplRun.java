package dev.superstep.cli.repl;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.cli.host.AllowFile;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.cli.run.ThreadNames;
import dev.superstep.cli.run.ThreadResumption;
import dev.superstep.cli.screen.Screen;
import dev.superstep.cli.screen.Style;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.graph.RunOptions;
import dev.superstep.repl.agent.TypedSession;
import dev.superstep.repl.trajectory.Trajectory;
import dev.superstep.run.ThreadState;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.terminal.privacy.SecretSources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The work of `superstep repl`: a session whose cells a person types, or that come on standard
/// input or from a file. Its thread is stored, so that a session that was left or killed goes on.
public final class ReplRun {
  private static final String NAME = "repl";

  private final Host host;
  private final ReplRequest request;
  private final ThreadLocation place;
  private final Checkpointer store;
  private final Optional<String> allowed;

  private ReplRun(
      Host host,
      ReplRequest request,
      ThreadLocation place,
      Checkpointer store,
      Optional<String> allowed) {
    this.host = host;
    this.request = request;
    this.place = place;
    this.store = store;
    this.allowed = allowed;
  }

  /// Runs a session until its end.
  ///
  /// @return the exit code
  public static int run(Host host, ReplRequest request) {
    var script = request.script().map(host::path);
    if (script.isPresent() && !Files.isRegularFile(script.get())) {
      throw new UsageError("script.missing", "There is no file " + script.get() + ".");
    }
    var resumed = request.resumed();
    var name =
        resumed.isEmpty()
            ? ThreadNames.fresh(Path.of(NAME), host.chance())
            : ThreadNames.checked(resumed.get());
    var place = ThreadLocation.of(host, name, request.places().store());
    if (resumed.isPresent() && !Files.exists(place.store())) throw place.unknown();
    // What is wrong with the file is said before a store is made.
    var given = request.allowed().file();
    if (resumed.isEmpty() && given.isPresent()) trusted(host, request, given.get());
    try (var store = SqliteCheckpointer.open(place.store())) {
      var kept = resumed.isEmpty() ? Optional.<String>empty() : before(host, place, store);
      var allowed = given.or(() -> kept);
      return new ReplRun(host, request, place, store, allowed).run();
    } catch (IOException e) {
      throw new UncheckedIOException("The session cannot go on: " + e.getMessage(), e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCodes.INTERRUPTED;
    }
  }

  private static AllowFile trusted(Host host, ReplRequest request, String file) {
    return AllowTrust.trusted(host, file, request.allowed().trust());
  }

  /// The file of a stored thread, which counts only if the user trusts it.
  private static Optional<String> before(Host host, ThreadLocation place, Checkpointer store) {
    var latest = store.latest(Lineage.of(place.thread())).orElseThrow(place::unknown);
    var file = latest.checkpoint().metadata().get(ThreadResumption.REPL_ALLOW);
    if (file != null) return Optional.of(file).filter(text -> !text.isEmpty());
    throw new UsageError(
        "thread.not-repl",
        "Thread `%s` was not begun by `%s repl`.".formatted(place.thread(), host.command()));
  }

  private int run() throws IOException, InterruptedException {
    var file = allowed.map(name -> trusted(host, request, name));
    boolean asks = host.terminal().asks();
    try (var texts = new SessionTexts(host, request.context());
        var grants = SessionGrants.open(host, file, this::agrees);
        var screen = new OptionalScreen(asks ? opened() : Optional.empty())) {
      var session = TypedSession.of(grants.settings(), texts);
      var spending = new SessionSpending(grants.budget());
      var cells = new Cells(host, session, () -> options(spending), output(screen.screen(), asks));
      var state = session.agent().graph().state(session.on(options(spending)));
      if (state.isPresent()) spending.begin(session.agent(), state.get());
      var loop =
          new SessionLoop(
              new SessionLoop.Parts(host, session, cells, texts, grants, spending),
              resumable(),
              outputs(screen.screen(), asks));
      int exit = loop(loop, session, cells, screen.screen(), state);
      keep(session, spending);
      return exit;
    }
  }

  private boolean agrees(String question) {
    if (request.allowed().consents()) return true;
    if (!host.terminal().asks()) return false;
    return host.terminal().ask(question + " [yes/no] ").filter("yes"::equals).isPresent();
  }

  /// A screen that may not be there.
  private record OptionalScreen(Optional<Screen> screen) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      if (screen.isPresent()) screen.get().close();
    }
  }

  private Optional<Screen> opened() throws IOException {
    // Without a person a script runs like one that is piped.
    if (request.looks().plain() || host.variable("TERM").map("dumb"::equals).orElse(true)) {
      return Optional.empty();
    }
    return Screen.open(host, false);
  }

  private SessionOutput outputs(Optional<Screen> screen, boolean asks) {
    boolean isColored = screen.map(Screen::isColored).orElse(false);
    return new SessionOutput(host.terminal(), asks, isColored);
  }

  private Cells.Output output(Optional<Screen> screen, boolean asks) {
    SessionPerson person =
        screen.isPresent()
            ? new KeyPerson(screen.get())
            : asks ? new LinePerson(host.terminal()) : SessionPerson.nobody();
    return new Cells.Output(outputs(screen, asks), person, asks);
  }

  private RunOptions options(SessionSpending spending) {
    return spending
        .addTo(RunOptions.defaults().on(place.thread(), store))
        .metadata(ThreadResumption.REPL_ALLOW, allowed.map(f -> host.path(f).toString()).orElse(""))
        .clock(host.clock());
  }

  private int loop(
      SessionLoop loop,
      TypedSession session,
      Cells cells,
      Optional<Screen> screen,
      Optional<ThreadState> state)
      throws IOException, InterruptedException {
    boolean asks = host.terminal().asks();
    if (asks) host.stop().onInterrupt(cells::interrupt);
    screen.ifPresent(s -> host.stop().runEnded(s::restore));
    loop.greet(place.thread(), allowed);
    if (state.isPresent()) {
      session.open(state.get().state());
      if (!loop.goOn(state.get())) return ExitCodes.INTERRUPTED;
    }
    if (request.context().isPresent() && state.isEmpty()) {
      loop.take(new Line.LoadContext(request.context().get()));
    }
    if (request.script().isPresent()) {
      loop.take(new Line.LoadScript(request.script().get()));
      return loop.exit();
    }
    var language = loop.language();
    var redactor = SecretSources.of(host.variables()).redactor();
    var settings = UserConfig.of(host).file().toAbsolutePath().resolveSibling("repl-history.jsonl");
    var history = SessionHistory.open(settings, redactor::text);
    var input = input(screen, asks, language, history);
    loop.run(input, asks ? Optional.of(history) : Optional.empty());
    return asks && !loop.isWaiting() ? ExitCodes.COMPLETED : loop.exit();
  }

  private CellInput input(
      Optional<Screen> screen, boolean asks, ReplLanguage language, SessionHistory history) {
    if (!asks) return CellInput.piped(host.terminal());
    var prompt = screen.flatMap(s -> s.cells(language, history.entries()));
    return prompt
        .map(CellInput::prompt)
        .orElseGet(() -> CellInput.plain(host.terminal(), language));
  }

  private String resumable() {
    var file = request.places().store().map(f -> " --store " + ShellText.word(f)).orElse("");
    return host.command() + " repl --resume " + ShellText.word(place.thread()) + file;
  }

  /// Writes the cells that ran, if they are wanted, without secrets.
  private void keep(TypedSession session, SessionSpending spending) throws IOException {
    if (request.places().trajectory().isEmpty()) return;
    var folder = host.path(request.places().trajectory().get());
    var state = session.agent().graph().state(session.on(options(spending)));
    if (state.isEmpty()) return;
    Trajectory.of(state.get().state())
        .redacted(SecretSources.of(host.variables()).redactor())
        .write(folder);
    outputs(Optional.empty(), false).say("superstep: the cells are in " + folder, Style.PLAIN);
  }
}
