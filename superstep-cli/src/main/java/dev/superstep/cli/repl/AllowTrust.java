package dev.superstep.cli.repl;

import dev.superstep.cli.conversation.TrustedFiles;
import dev.superstep.cli.host.AllowFile;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.TextFile;
import dev.superstep.cli.host.UsageError;
import java.nio.file.Path;
import java.util.Optional;

/// Sees to it that a file counts which says what cells may call only while a person trusts exactly
/// its text: it may have come with a folder of a stranger.
final class AllowTrust {
  private static final int BYTES_MAX = 64 * 1024;

  private AllowTrust() {}

  /// The file, if it is trusted. A person is shown its text and asked otherwise.
  ///
  /// @param digest of the text that the user has read before; then nobody is asked
  /// @throws UsageError if it is wrong, or nobody trusts it
  static AllowFile trusted(Host host, String named, Optional<String> digest) {
    var file = host.path(named);
    // Read once: what is asked about is what is used.
    var text = TextFile.read(file, BYTES_MAX, "allow");
    var allowed = AllowFile.of(file, text);
    var trust = TrustedFiles.of(host);
    var now = TrustedFiles.digest(text);
    if (trust.isTrusted(allowed.file(), now)) return allowed;
    if (digest.isPresent() && !digest.get().equalsIgnoreCase(now)) {
      throw new UsageError(
          "allow.changed",
          "The digest of %s is %s, and not the one that you named. Read it again."
              .formatted(file, now));
    }
    if (digest.isEmpty() && !agrees(host, allowed.file(), text)) {
      throw new UsageError(
          "allow.not-trusted",
          "%s is not trusted, so nothing of it is granted. After reading it: --allow %s --trust %s"
              .formatted(file, ShellText.word(named), now));
    }
    trust.trust(allowed.file(), now);
    return allowed;
  }

  private static boolean agrees(Host host, Path file, String text) {
    var terminal = host.terminal();
    if (!terminal.asks()) return false;
    terminal.out().println(ForeignText.framed(text));
    var question =
        "Grant what exactly this text of "
            + SafeText.line(file.toString())
            + " says? [y]es / [n]o: ";
    return terminal
        .ask(question)
        .map(String::strip)
        .filter(t -> t.matches("(?i)y|yes"))
        .isPresent();
  }
}
