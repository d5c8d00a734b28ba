package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.cli.model.OpenModel;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.SessionRecord;
import dev.superstep.terminal.Terminal;
import dev.superstep.terminal.TerminalConversation;
import dev.superstep.terminal.TerminalLimits;
import dev.superstep.terminal.TerminalParts;
import dev.superstep.terminal.TerminalSession;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.privacy.SecretSources;
import dev.superstep.terminal.undo.UndoLimits;
import dev.superstep.terminal.undo.WorkspaceUndo;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// The terminal workflow with all of its parts: models, rules, sandbox, stores. Closing it closes
/// what was opened.
final class OpenTerminal implements AutoCloseable {
  private static final List<String> PASSED =
      List.of("PATH", "HOME", "LANG", "LC_ALL", "TERM", "TMPDIR", "USER", "TZ");

  private final Host host;
  private final TerminalFiles files;
  private final FileRules review;
  private final StoppableRunner runner;
  private final OpenModel model;
  private final WorkspaceUndo undo;
  private final SqliteCheckpointer threads;
  private final Store sessions;
  private final Terminal terminal;

  private OpenTerminal(Host host, TerminalFiles files, TerminalOptions options, OpenModel model) {
    this.host = host;
    this.files = files;
    this.model = model;
    var sandbox = Sandbox.open();
    UnaryOperator<String> redact = SecretSources.of(host.variables()).redactor()::text;
    this.review = review(host, files, options, sandbox);
    this.runner = new StoppableRunner(sandbox);
    files.make();
    this.threads = SqliteCheckpointer.open(files.threads());
    this.sessions = SqliteStore.open(files.sessions());
    var backend = ModelBackend.of(name(model), model.model());
    this.undo =
        WorkspaceUndo.of(_ -> files.undo(), UndoLimits.standard(), host.clock())
            .listening(runner::changed);
    var parts =
        TerminalParts.of(backend, review, runner, redact)
            .clock(host.clock())
            .limits(limits(options.bounds()))
            .undo(undo);
    this.terminal = Terminal.of(parts, threads, sessions);
  }

  /// Opens the parts. Texts go to a model elsewhere only if the user has agreed to that.
  ///
  /// @throws dev.superstep.terminal.privacy.ConsentRefused if nobody agreed
  static OpenTerminal open(Host host, TerminalOptions options, Person person) {
    var files = TerminalFiles.of(host);
    var choice = TerminalModel.choose(host, options.model());
    VendorConsent.require(
        host,
        choice.ref(),
        "texts of %s and outputs of its commands",
        question -> options.consents() || person.agrees(question));
    var model = new ModelOpener(host).open(choice);
    try {
      return new OpenTerminal(host, files, options, model);
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  private static FileRules review(
      Host host, TerminalFiles files, TerminalOptions options, Sandbox sandbox) {
    var more = options.policy().map(host::path).map(List::of).orElse(List.of());
    var review = new FileRules(files, more, sandbox.machine(), host.clock());
    options.bounds().maxRisk().ifPresent(review::maxRisk);
    return review;
  }

  private static TerminalLimits limits(TerminalOptions.Bounds bounds) {
    var limits = TerminalLimits.standard();
    return bounds
        .maxCalls()
        .map(calls -> limits.budget(limits.budget().calls(calls)))
        .orElse(limits);
  }

  private static String name(OpenModel model) {
    return model.source().equals("live")
        ? model.named().url()
        : model.named().url() + " (" + model.source() + ")";
  }

  Host host() {
    return host;
  }

  TerminalFiles files() {
    return files;
  }

  FileRules review() {
    return review;
  }

  StoppableRunner runner() {
    return runner;
  }

  /// The home of the user, as commands see it.
  Path home() {
    return host.path(host.variable("HOME").orElse(System.getProperty("user.home", "/")));
  }

  /// The newest session of this workspace, or a new one.
  TerminalSession session() {
    return terminal.sessions().stream()
        .filter(record -> record.workspace().equals(files.workspace().toString()))
        .map(SessionRecord::id)
        .findFirst()
        .flatMap(id -> terminal.open(id, environment()))
        .orElseGet(() -> terminal.open(files.workspace(), environment()));
  }

  /// A conversation that is stored, with the session that it belongs to.
  ///
  /// @throws UsageError if there is none of this name
  Found find(String conversation) {
    for (var record : terminal.sessions()) {
      if (!record.conversations().contains(conversation)) continue;
      var session = terminal.open(record.id(), environment());
      var found = session.flatMap(open -> open.conversation(conversation));
      if (found.isPresent()) return new Found(session.get(), found.get());
    }
    throw new UsageError(
        "conversation.unknown",
        "There is no conversation `%s` in %s. `%s sessions list` lists them."
            .formatted(conversation, files.workspace(), host.command()));
  }

  /// A conversation and its session.
  record Found(TerminalSession session, TerminalConversation conversation) {}

  /// The sessions, the most recently used first.
  List<TerminalSession> all() {
    return terminal.sessions().stream()
        .flatMap(record -> terminal.open(record.id(), environment()).stream())
        .toList();
  }

  private Map<String, String> environment() {
    var passed = new LinkedHashMap<String, String>();
    for (var name : PASSED) {
      var value = host.variables().get(name);
      if (value != null) passed.put(name, value);
    }
    return passed;
  }

  /// The exit code of a conversation that waits for a retry.
  static int exit(String code) {
    return code.contains("budget") ? ExitCodes.BUDGET : ExitCodes.PROVIDER;
  }

  @Override
  public void close() {
    try (model;
        undo;
        threads) {
      sessions.close();
    }
  }
}
