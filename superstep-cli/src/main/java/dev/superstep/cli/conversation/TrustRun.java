package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.terminal.approval.ApprovalDigest;
import dev.superstep.terminal.policy.CommandRules;
import dev.superstep.terminal.policy.InvalidRules;
import dev.superstep.terminal.policy.Scope;
import dev.superstep.terminal.policy.TrustStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The work of `superstep policy trust` and `untrust`: the rules of a folder count only while a
/// person trusts exactly their text.
public final class TrustRun {
  private final Host host;
  private final TerminalFiles files;

  private TrustRun(Host host) {
    this.host = host;
    this.files = TerminalFiles.of(host);
  }

  /// Shows the rules of this folder, and trusts them if the person agrees.
  ///
  /// @param digest of the text that the person has read before; then nobody is asked
  /// @return the exit code
  public static int trust(Host host, Optional<String> digest) {
    return new TrustRun(host).trust(digest);
  }

  /// Ends the trust in the rules of this folder.
  ///
  /// @return the exit code
  public static int untrust(Host host) {
    return new TrustRun(host).untrust();
  }

  private int trust(Optional<String> wanted) {
    var file = file();
    var text = read(file);
    // Of the text that is shown, and not of what the file has by the time of an answer.
    var digest = ApprovalDigest.sha256(text);
    if (wanted.isPresent() && !wanted.get().equalsIgnoreCase(digest)) {
      throw new UsageError(
          "policy.changed",
          "The digest of %s is %s, and not the one that you named. Read it again."
              .formatted(file, digest));
    }
    var checked = check(text, file);
    host.terminal().out().println(ForeignText.framed(text));
    say("%d rules; a folder's rules only tighten".formatted(checked.rules().size()));
    say("digest " + digest);
    if (wanted.isEmpty() && !agrees(file, digest)) {
      return host.terminal().asks() ? ExitCodes.COMPLETED : ExitCodes.INTERRUPTED;
    }
    TrustStore.at(files.trusted()).trust(file, digest);
    say("trusted, as long as it stays as it is");
    return ExitCodes.COMPLETED;
  }

  private boolean agrees(Path file, String digest) {
    if (!host.terminal().asks()) {
      say("Nobody is here to be asked. After reading them, trust these rules with:");
      say("  %s policy trust --digest %s".formatted(host.command(), digest));
      return false;
    }
    var typed =
        host.terminal()
            .ask(
                "Trust exactly this text of "
                    + SafeText.line(file.toString())
                    + "? [y]es / [n]o: ");
    return typed.map(String::strip).filter(text -> text.matches("(?i)y|yes")).isPresent();
  }

  private static CommandRules check(String text, Path file) {
    try {
      return CommandRules.parse(text, file.toString(), Scope.PROJECT);
    } catch (InvalidRules e) {
      throw new UsageError("policy.invalid", String.valueOf(e.getMessage()), e);
    }
  }

  private int untrust() {
    TrustStore.at(files.trusted()).distrust(file());
    say("not trusted: these rules do not count");
    return ExitCodes.COMPLETED;
  }

  private Path file() {
    var file = files.projectRules();
    if (Files.isRegularFile(file)) return file;
    throw new UsageError("policy.missing", "This folder has no rules: there is no " + file + ".");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("The rules cannot be read: " + file, e);
    }
  }

  private void say(String text) {
    host.terminal().out().println(SafeText.line(text));
  }
}
