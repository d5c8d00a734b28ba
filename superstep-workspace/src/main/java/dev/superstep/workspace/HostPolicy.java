package dev.superstep.workspace;

import dev.superstep.sandbox.NetworkAddresses;
import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/// Decides what may be fetched. Immutable.
record HostPolicy(List<AllowedHost> allowed) {
  HostPolicy {
    allowed = List.copyOf(allowed);
  }

  HostPolicy and(List<AllowedHost> more) {
    var all = new ArrayList<>(allowed);
    all.addAll(more);
    return new HostPolicy(all);
  }

  /// Finds the addresses of a host.
  interface Lookup {
    List<InetAddress> of(String host) throws IOException;
  }

  /// Returns the checked addresses of a URI; a fetch may connect to no others.
  ///
  /// @param refused receives the errors of requests that are not allowed
  /// @throws ToolError.Http if it may not or cannot be fetched
  List<InetAddress> check(URI uri, Lookup lookup, Consumer<ToolError> refused) {
    checkForm(uri);
    var matching = allowed.stream().filter(host -> host.allows(uri)).toList();
    if (matching.isEmpty()) throw refusal(uri, notAllowed(uri), refused);
    var addresses = addresses(uri, lookup);
    var isOpen = matching.stream().anyMatch(AllowedHost::mayBePrivate);
    if (isOpen || addresses.stream().noneMatch(NetworkAddresses::isPrivate)) return addresses;
    var why =
        "the name `%s` stands for an address of this machine or its network, which is not allowed."
                .formatted(uri.getHost())
            + " Use another host.";
    throw refusal(uri, why, refused);
  }

  private static ToolError.Http refusal(URI uri, String why, Consumer<ToolError> refused) {
    var error = new ToolError.Http(uri, why, null);
    refused.accept(error);
    return error;
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

  private static List<InetAddress> addresses(URI uri, Lookup lookup) {
    try {
      return lookup.of(uri.getHost());
    } catch (UnknownHostException e) {
      throw new ToolError.Http(uri, "there is no such host. Check its name.", e);
    } catch (IOException e) {
      throw new ToolError.Http(uri, "its host cannot be looked up. Try again later.", e);
    }
  }
}
