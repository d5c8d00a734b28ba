package dev.superstep.cli.mcp;

import dev.superstep.cli.host.ApprovalNeeded;
import dev.superstep.cli.host.ForeignText;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UserConfig;
import dev.superstep.mcp.ToolPins;
import dev.superstep.mcp.config.McpTrust;
import dev.superstep.mcp.oauth.McpTokens;
import dev.superstep.terminal.privacy.SecretSources;
import java.nio.file.Path;

/// The confirmation of servers that a folder names, by the person whose folder of settings keeps
/// it. A server of the user's own settings needs none.
///
/// @param root the folder that names them
record ServerConfirmation(Host host, Path root, McpTrust trust) {
  static ServerConfirmation of(Host host, Path root) {
    return new ServerConfirmation(host, root, McpTrust.in(UserConfig.of(host).folder()));
  }

  boolean isConfirmed(FolderServer server) {
    if (server.owner() == FolderServer.Owner.USER) return true;
    return trust.isConfirmed(server.file(), server.entry());
  }

  ToolPins pins(FolderServer server) {
    return trust.pins(server.file(), server.entry());
  }

  /// The place of what a person granted to this program at a server.
  McpTokens tokens(FolderServer server) {
    return trust.tokens(server.file(), server.entry());
  }

  /// Shows a server, and asks a person about it, who must be there.
  boolean isAgreed(FolderServer server) {
    // Of what is shown, and not of what the folder has by the time of an answer.
    var digest = digest(server);
    show(server, digest);
    var typed =
        host.terminal()
            .ask(
                "Use exactly this server, now and later? Anything that changes asks again."
                    + " [y]es / [n]o: ");
    boolean isYes = typed.map(String::strip).filter(t -> t.matches("(?i)y|yes")).isPresent();
    if (isYes) trust.confirm(server.file(), server.entry(), digest);
    return isYes;
  }

  /// Confirms a server that the person has seen before.
  void confirm(FolderServer server, String digest) {
    trust.confirm(server.file(), server.entry(), digest);
  }

  boolean withdraw(FolderServer server) {
    return trust.withdraw(server.file(), server.name());
  }

  String digest(FolderServer server) {
    return McpTrust.digest(server.file(), server.entry());
  }

  /// Shows what a server is. Values that are known as secrets are not shown.
  void show(FolderServer server, String digest) {
    var out = host.terminal().out();
    out.println(SafeText.line("MCP server " + server.name() + ", by " + server.file()));
    var lines = String.join("\n", server.entry().lines(server.place()));
    var redactor = SecretSources.of(host.variables()).redactor();
    int width = host.terminal().display().columns().orElse(Integer.MAX_VALUE) - 4;
    out.println(ForeignText.framed(redactor.text(lines), width));
    out.println("digest " + digest);
    out.flush();
  }

  /// The error about a server that nobody has confirmed.
  ApprovalNeeded needed(FolderServer server) {
    return new ApprovalNeeded(
        "mcp.not-confirmed",
        "MCP server `%s` of %s is not confirmed as it is now, so nothing of it was started or reached. See what it is, and confirm it: %s mcp trust %s --server %s"
            .formatted(
                server.name(),
                server.file(),
                host.command(),
                ShellText.word(root.toString()),
                server.name()));
  }
}
