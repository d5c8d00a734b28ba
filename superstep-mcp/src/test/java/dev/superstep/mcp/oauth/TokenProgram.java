package dev.superstep.mcp.oauth;

import dev.superstep.checkpoint.KeyRing;
import java.net.URI;
import java.nio.file.Path;

/// A process that wants the token of a server, from a file that others use, too.
final class TokenProgram {
  private TokenProgram() {}

  /// @param arguments the file, and the address of the server
  public static void main(String[] arguments) throws InterruptedException {
    var keys = KeyRing.of("k", new byte[KeyRing.KEY_BYTES]);
    var oauth =
        McpOAuth.of(URI.create(arguments[1]), McpConsent.nobody())
            .tokens(McpTokens.in(Path.of(arguments[0]), keys));
    System.out.println(oauth.token().orElse("none"));
  }
}
