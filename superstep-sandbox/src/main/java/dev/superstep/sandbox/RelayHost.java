package dev.superstep.sandbox;

import java.util.Locale;
import java.util.regex.Pattern;

/// A host that a relay may connect to. Immutable.
///
/// @param name in lower case; `*.example.org` for all below one
/// @param mayBePrivate whether it may be a machine of the own network
record RelayHost(String name, int port, boolean mayBePrivate) {
  private static final Pattern FORM =
      Pattern.compile("((?:\\*\\.)?[\\p{Alnum}._-]+|\\[[\\p{XDigit}:.]+]):(\\d{1,5})");

  private static final int PORT_MAX = 65_535;

  static RelayHost parse(String text, boolean mayBePrivate) {
    var parts = FORM.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > PORT_MAX) {
      throw new IllegalArgumentException(
          "host must be a name or an address with a port, was `" + text + "`");
    }
    var name = parts.group(1).toLowerCase(Locale.ROOT);
    return new RelayHost(name, Integer.parseInt(parts.group(2)), mayBePrivate);
  }

  boolean allows(String host, int asked) {
    var lower = host.toLowerCase(Locale.ROOT);
    boolean isBelow =
        name.startsWith("*.")
            && lower.endsWith(name.substring(1))
            && !NetworkAddresses.isLiteral(lower);
    return asked == port && (lower.equals(name) || isBelow);
  }

  @Override
  public String toString() {
    return name + ":" + port + (mayBePrivate ? " (may be private)" : "");
  }
}
