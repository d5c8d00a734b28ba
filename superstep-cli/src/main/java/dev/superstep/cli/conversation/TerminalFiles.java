package dev.superstep.cli.conversation;

import static java.util.Objects.requireNonNull;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.UndoPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/// The files of the terminal workflow: the user's, and those of a workspace. Immutable.
///
/// @param workspace the directory that commands may write
/// @param user the folder of the user's settings
record TerminalFiles(Path workspace, Path user) {
  private static final String OURS = ".superstep";
  private static final String RULES = "rules.toml";

  public static TerminalFiles of(Host host) {
    try {
      var folder = host.folder().toRealPath();
      return new TerminalFiles(
          folder, requireNonNull(UserConfig.of(host).file().toAbsolutePath().getParent()));
    } catch (IOException e) {
      throw new UncheckedIOException("The current directory cannot be followed", e);
    }
  }

  /// The rules of the user.
  public Path userRules() {
    return user.resolve(RULES);
  }

  /// The rules that the workspace brings along.
  public Path projectRules() {
    return workspace.resolve(OURS).resolve(RULES);
  }

  /// The digests of files that the user trusts.
  public Path trusted() {
    return user.resolve("trusted.json");
  }

  /// The vendors to which texts may go.
  public Path consents() {
    return user.resolve("consents.json");
  }

  /// The changes that commands made in the workspace.
  public Path changes() {
    return own().resolve("changes");
  }

  /// The workspace and the store of its changes. What is in our own folder is not watched: it
  /// changes while commands run, and nobody wants the records of today taken back.
  public UndoPlace undo() {
    return UndoPlace.of(workspace, changes()).without(own());
  }

  /// The threads of conversations.
  public Path threads() {
    return own().resolve("superstep.db");
  }

  /// The sessions.
  public Path sessions() {
    return own().resolve("sessions.db");
  }

  /// The lock of a conversation.
  public Path lock(String conversation) {
    return own().resolve("locks").resolve(conversation + ".lock");
  }

  private Path own() {
    return workspace.resolve(OURS);
  }

  /// Makes the folder of ours in the workspace.
  void make() {
    try {
      PrivateFiles.createDirectories(own().resolve("locks"));
    } catch (IOException e) {
      throw new UncheckedIOException(own() + " cannot be made", e);
    }
  }
}
