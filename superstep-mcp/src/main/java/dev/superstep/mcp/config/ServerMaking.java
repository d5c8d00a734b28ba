package dev.superstep.mcp.config;

import dev.superstep.mcp.McpLimits;
import dev.superstep.mcp.McpServer;
import dev.superstep.mcp.ToolPins;
import dev.superstep.mcp.oauth.McpConsent;
import dev.superstep.mcp.oauth.McpOAuth;
import dev.superstep.mcp.oauth.McpTokens;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxCommand;
import dev.superstep.sandbox.Tier;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolError;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes the server of an entry: puts the values of variables in, and applies what it may do.
record ServerMaking(McpEntry entry, Path folder, Function<String, @Nullable String> variables) {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

  McpServer made() {
    return made(address -> null);
  }

  McpServer made(McpConsent consent, McpTokens stored) {
    return made(address -> {
      var oauth = McpOAuth.of(address, consent).tokens(stored);
      return entry.grants().oauth().flatMap(McpGrants.OAuth::client).isEmpty()
          ? oauth
          : oauth.client(entry.grants().oauth().get().client().orElseThrow(), "");
    });
  }

  private McpServer made(Function<URI, @Nullable McpOAuth> tokens) {
    try {
      return granted(entry.words().isEmpty() ? elsewhere(tokens) : program());
    } catch (URISyntaxException | IllegalArgumentException e) {
      // The message of such an error may have a value of a variable in it.
      var why = entry.words().isEmpty() ? "its address or a header" : "a word or a variable";
      throw wrong(why + " is not what such a thing can be.", e);
    }
  }

  List<Tool> unconnected(ToolPins pins) {
    return granted(McpServer.stdio(entry.name(), folder, "false")).pins(pins).unconnected();
  }

  private McpServer program() {
    var words = new ArrayList<String>();
    for (var word : entry.words()) words.add(filled(word));
    var server = confined(words);
    for (var one : entry.settings().entrySet()) {
      server = server.variable(one.getKey(), filled(one.getValue()));
    }
    return server;
  }

  private McpServer confined(List<String> words) {
    var directory = folder.toAbsolutePath();
    var held = entry.grants().confinement();
    if (held.isEmpty() || held.get().tier() == Tier.PROCESS) {
      return McpServer.stdio(entry.name(), directory, words.toArray(String[]::new));
    }
    var command =
        SandboxCommand.of(held.get().tier(), directory, words)
            .passing("PATH", "HOME")
            .reading(paths(directory, held.get().reads()))
            .writing(paths(directory, held.get().writes()));
    return McpServer.stdio(entry.name(), Sandbox.open(), command);
  }

  private Path[] paths(Path directory, List<String> all) {
    return all.stream().map(one -> directory.resolve(filled(one)).normalize()).toArray(Path[]::new);
  }

  private McpServer elsewhere(Function<URI, @Nullable McpOAuth> tokens) throws URISyntaxException {
    var address = new URI(filled(entry.address()));
    var server = McpServer.http(entry.name(), address);
    boolean isClear = "http".equals(address.getScheme()) && !LOCAL.contains(address.getHost());
    if (isClear && !entry.variables().isEmpty()) {
      throw wrong("variables of yours would be sent in the clear to its `url`. Use https.", null);
    }
    for (var one : entry.settings().entrySet()) {
      server = server.header(one.getKey(), filled(one.getValue()));
    }
    var oauth = tokens.apply(address);
    return oauth == null || entry.grants().oauth().isEmpty() ? server : server.credentials(oauth);
  }

  private McpServer granted(McpServer made) {
    var server = made;
    var grants = entry.grants();
    if (grants.only().isPresent()) server = server.only(grants.only().get().toArray(String[]::new));
    for (var one : grants.policies().entrySet()) {
      server = server.policy(one.getKey(), one.getValue());
    }
    if (grants.trustsHints()) server = server.trustingHints();
    if (grants.protocol().isStateless()) server = server.stateless();
    if (grants.protocol().tasks().isPresent())
      server = server.tasks(grants.protocol().tasks().get());
    if (grants.timeout().isPresent()) {
      var usual = McpLimits.standard();
      server = server.limits(usual.times(usual.start(), usual.request(), grants.timeout().get()));
    }
    return server;
  }

  private String filled(String text) {
    return new VariableText(text).filled(ToolError.quote(entry.name()), variables);
  }

  private InvalidMcpEntry wrong(String why, @Nullable Exception cause) {
    return new InvalidMcpEntry(ToolError.quote(entry.name()), why, cause);
  }
}
