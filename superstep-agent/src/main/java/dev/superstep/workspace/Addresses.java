package dev.superstep.workspace;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/// Which addresses are not those of public machines.
final class Addresses {
  private static final Pattern FOUR_NUMBERS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final int V6 = 16;

  private Addresses() {}

  /// Whether the text is an address and no name.
  static boolean isLiteral(String host) {
    return host.startsWith("[") || FOUR_NUMBERS.matcher(host).matches();
  }

  /// Whether it is this machine, the network around it, or something that is no single machine.
  static boolean isPrivate(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address
            ? isSpecial4(address.getAddress())
            : isSpecial6(address.getAddress()));
  }

  /// What the JDK does not name: "this network", carriers' networks, protocol assignments,
  /// benchmarks, and what is reserved.
  private static boolean isSpecial4(byte[] b) {
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    return first == 0
        || (first == 100 && second >= 64 && second < 128)
        || (first == 192 && second == 0 && b[2] == 0)
        || (first == 198 && (second == 18 || second == 19))
        || first >= 240;
  }

  /// Unique local addresses, and those that have an IPv4 address inside which is private.
  private static boolean isSpecial6(byte[] b) {
    if ((b[0] & 0xfe) == 0xfc) return true;
    if (startsWith(b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) return isPrivate(within(b, 12));
    if (startsWith(b, 0, 0x64, 0xff, 0x9b)) return isPrivate(within(b, 12)); // NAT64
    return startsWith(b, 0x20, 0x02) && isPrivate(within(b, 2)); // 6to4
  }

  private static boolean startsWith(byte[] b, int... head) {
    for (int i = 0; i < head.length; i++) if ((b[i] & 0xff) != head[i]) return false;
    return b.length == V6;
  }

  private static InetAddress within(byte[] b, int from) {
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(b, from, from + 4));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
