package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Decides what may be fetched. Immutable.
record Hosts(List<AllowedHost> allowed) {
  Hosts {
    allowed = List.copyOf(allowed);
  }

  Hosts and(List<AllowedHost> more) {
    var all = new ArrayList<>(allowed);
    all.addAll(more);
    return new Hosts(all);
  }

  /// @param refused hears of what is not allowed
  /// @throws ToolError.Http if it may not be fetched, or cannot be
  void check(URI uri, Consumer<ToolError> refused) {
    checkForm(uri);
    var matching = allowed.stream().filter(host -> host.allows(uri)).toList();
    var isOpen = matching.stream().anyMatch(AllowedHost::mayBePrivate);
    if (!matching.isEmpty() && (isOpen || isPublic(uri))) return;
    var why =
        matching.isEmpty()
            ? notAllowed(uri)
            : "the name `%s` stands for an address of this machine or its network, which is not"
                    .formatted(uri.getHost())
                + " allowed. Use another host.";
    var error = new ToolError.Http(uri, why, null);
    refused.accept(error);
    throw error;
  }

  private static boolean isPublic(URI uri) {
    return addresses(uri).stream().noneMatch(Addresses::isPrivate);
  }

  private static void checkForm(URI uri) {
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new ToolError.Http(uri, "it is no address of the web. Begin it with `https://`.", null);
    }
    if (uri.getHost() == null) {
      throw new ToolError.Http(uri, "it names no host. Write `https://host/path`.", null);
    }
    if (uri.getRawUserInfo() != null) {
      throw new ToolError.Http(
          uri, "a user name or password must not be in it. Leave that out.", null);
    }
  }

  private String notAllowed(URI uri) {
    var asked = uri.getPort() < 0 ? uri.getHost() : uri.getHost() + ":" + uri.getPort();
    var names = allowed.stream().map(AllowedHost::toString).toList();
    return "the host `%s` is not allowed. %s"
        .formatted(
            asked,
            names.isEmpty()
                ? "No host is allowed here; do without."
                : "Allowed: " + String.join(", ", names) + ".");
  }

  private static List<InetAddress> addresses(URI uri) {
    try {
      return List.of(InetAddress.getAllByName(uri.getHost()));
    } catch (UnknownHostException e) {
      throw new ToolError.Http(uri, "there is no such host. Check its name.", e);
    }
  }
}
