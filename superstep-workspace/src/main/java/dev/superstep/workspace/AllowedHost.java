package dev.superstep.workspace;

import dev.superstep.sandbox.NetworkAddresses;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/// A host that may be fetched from. Immutable.
///
/// @param name in lower case; `*.example.org` for all below one, `*` for all
/// @param port -1 for the usual one of the scheme
/// @param mayBePrivate whether it may be a machine of the own network
record AllowedHost(String name, int port, boolean mayBePrivate) {
  private static final Pattern FORM =
      Pattern.compile("(\\*|(?:\\*\\.)?[\\p{Alnum}._-]+|\\[[\\p{XDigit}:.]+])(?::(\\d{1,5}))?");

  /// @param text a host, perhaps with a port
  static AllowedHost parse(String text, boolean mayBePrivate) {
    var parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "host must be a name or an address, perhaps with a port, was `" + text + "`");
    }
    var name = parts.group(1).toLowerCase(Locale.ROOT);
    var port = parts.group(2) == null ? -1 : Integer.parseInt(parts.group(2));
    return new AllowedHost(name, port, mayBePrivate || NetworkAddresses.isLiteral(name));
  }

  boolean allows(URI uri) {
    var host = uri.getHost().toLowerCase(Locale.ROOT);
    var isNamed = name.equals("*") || name.equals(host) || isBelow(host);
    int usual = "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
    int asked = uri.getPort() < 0 ? usual : uri.getPort();
    return isNamed && asked == (port < 0 ? usual : port);
  }

  /// An address in numbers is below nothing.
  private boolean isBelow(String host) {
    return name.startsWith("*.")
        && host.endsWith(name.substring(1))
        && !NetworkAddresses.isLiteral(host);
  }

  @Override
  public String toString() {
    return port < 0 ? name : name + ":" + port;
  }
}
