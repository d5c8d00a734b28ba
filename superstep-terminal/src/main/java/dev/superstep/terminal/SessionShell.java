package dev.superstep.terminal;

import dev.superstep.terminal.SessionRecord.TypedCommand;
import dev.superstep.terminal.internal.context.Excerpt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// The shell of a session: where it is and which variables its commands get. The directory is
/// stored with the session; variables that commands exported last as long as the process, since
/// their values may be secrets. Safe for many threads.
final class SessionShell {
  private static final String MASK = "***";
  private static final int COMMANDS_MAX = 50;

  private final TerminalParts parts;
  private final SessionStore sessions;
  private final String id;
  private final Path workspace;
  private final Function<Integer, List<String>> related;
  private Path directory;
  private Map<String, String> environment;

  SessionShell(
      TerminalParts parts,
      SessionStore sessions,
      SessionRecord record,
      Map<String, String> environment,
      Function<Integer, List<String>> related) {
    this.parts = parts;
    this.sessions = sessions;
    this.id = record.id();
    this.workspace = Path.of(record.workspace());
    this.related = related;
    var stored = Path.of(record.directory());
    this.directory = Files.isDirectory(stored) ? stored : workspace;
    this.environment = Map.copyOf(environment);
  }

  Path workspace() {
    return workspace;
  }

  synchronized Path directory() {
    return directory;
  }

  synchronized Map<String, String> environment() {
    return environment;
  }

  Path home() {
    return Path.of(environment().getOrDefault("HOME", workspace.toString()));
  }

  List<String> related(int most) {
    return related.apply(most);
  }

  /// The session in a few lines, for a model. Names of variables only.
  String summary() {
    var record = sessions.required(id);
    return "directory %s; workspace %s; project %s; programs %s; variables %s"
        .formatted(
            directory(),
            workspace,
            record.project().isEmpty() ? "unknown" : record.project(),
            String.join(" ", record.tools()),
            String.join(" ", environment().keySet().stream().sorted().toList()));
  }

  /// Takes over where a command left the shell, and gives its result as it may be stored: without
  /// what we added to its output, without secrets, and not longer than allowed.
  CommandResult kept(CommandResult raw, boolean isByPerson) {
    var after = ShellTracking.read(raw.stdout(), environment(), isByPerson);
    synchronized (this) {
      directory = after.directory().orElse(directory);
      var more = new LinkedHashMap<>(environment);
      more.putAll(after.exported());
      environment = Map.copyOf(more);
    }
    var now = directory().toString();
    var masked = masked(environment());
    sessions.update(id, record -> moved(record, now, masked));
    int most = parts.limits().captureChars();
    UnaryOperator<String> redact = parts.redact();
    var out = Excerpt.of(redact.apply(after.stdout()), most);
    var err = Excerpt.of(redact.apply(raw.stderr()), most);
    return raw.with(out.text(), err.text(), out.isCut() || err.isCut());
  }

  /// Notes that a command is about to start in a conversation.
  void starting(String conversation, String command) {
    sessions.starting(conversation, command);
  }

  /// Counts the starts of a command in a conversation, also in the part that a rewind has left.
  int starts(String conversation, String command) {
    return sessions.starts(conversation, command);
  }

  /// Goes back to the directory in which a command that is taken back began.
  ///
  /// @return whether the shell was elsewhere
  boolean movesBack(Path to) {
    if (!Files.isDirectory(to)) return false;
    synchronized (this) {
      if (directory.equals(to)) return false;
      directory = to;
    }
    var masked = masked(environment());
    sessions.update(id, record -> moved(record, to.toString(), masked));
    return true;
  }

  /// Keeps a command that was typed.
  void typed(String command, CommandResult result) {
    var typed =
        new TypedCommand(parts.redact().apply(command), result.exit(), parts.clock().instant());
    sessions.update(
        id,
        record -> {
          var all = new ArrayList<>(record.commands());
          all.add(typed);
          var newest = all.subList(Math.max(0, all.size() - COMMANDS_MAX), all.size());
          return with(record, record.conversations(), newest);
        });
  }

  void began(String conversation) {
    sessions.update(
        id,
        record -> {
          var all = new ArrayList<>(record.conversations());
          if (!all.contains(conversation)) all.add(conversation);
          return with(record, all, record.commands());
        });
  }

  private SessionRecord with(
      SessionRecord record, List<String> conversations, List<TypedCommand> commands) {
    return new SessionRecord(
        record.id(),
        record.created(),
        parts.clock().instant(),
        record.workspace(),
        record.directory(),
        record.variables(),
        record.project(),
        record.tools(),
        conversations,
        commands);
  }

  private SessionRecord moved(SessionRecord record, String to, Map<String, String> variables) {
    return new SessionRecord(
        record.id(),
        record.created(),
        parts.clock().instant(),
        record.workspace(),
        to,
        variables,
        record.project(),
        record.tools(),
        record.conversations(),
        record.commands());
  }

  /// The variables without their values.
  static Map<String, String> masked(Map<String, String> environment) {
    var masked = new LinkedHashMap<String, String>();
    environment.keySet().forEach(name -> masked.put(name, MASK));
    return masked;
  }
}
