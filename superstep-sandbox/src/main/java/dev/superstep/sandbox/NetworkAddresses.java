package dev.superstep.sandbox;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/// Tells addresses of public machines from others.
public final class NetworkAddresses {
  private static final Pattern FOUR_NUMBERS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
  private static final int V6 = 16;

  private NetworkAddresses() {}

  /// Returns whether the text is an address rather than a name.
  public static boolean isLiteral(String host) {
    return host.startsWith("[") || FOUR_NUMBERS.matcher(host).matches();
  }

  /// Returns whether it is an address of this machine, of its local network, or of no single
  /// machine.
  public static boolean isPrivate(InetAddress address) {
    return address.isLoopbackAddress()
        || address.isAnyLocalAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()
        || (address instanceof Inet4Address
            ? isSpecial4(address.getAddress())
            : isSpecial6(address.getAddress()));
  }

  /// Returns whether it is in a range that the JDK has no method for: "this network", carriers'
  /// networks, protocol assignments, benchmarks, and reserved ranges.
  private static boolean isSpecial4(byte[] b) {
    int first = b[0] & 0xff;
    int second = b[1] & 0xff;
    return first == 0
        || (first == 100 && second >= 64 && second < 128)
        || (first == 192 && second == 0 && b[2] == 0)
        || (first == 198 && (second == 18 || second == 19))
        || first >= 240;
  }

  /// Returns whether it is a unique local address, a discard address, or one that embeds a private
  /// IPv4 address: a router or this machine would forward it there. NAT64 with a network's own
  /// prefix cannot be detected.
  private static boolean isSpecial6(byte[] b) {
    if ((b[0] & 0xfe) == 0xfc) return true;
    if (startsWith(b, 1, 0, 0, 0, 0, 0, 0, 0)) return true; // discarded
    if (startsWith(b, 0, 0x64, 0xff, 0x9b)) return isPrivateNat64(b);
    if (startsWith(b, 0x20, 0x02)) return isPrivate(within(b, 2)); // 6to4
    if (startsWith(b, 0x20, 0x01, 0, 0)) return isPrivateTeredo(b);
    return hasEmbedded4(b) && isPrivate(within(b, 12));
  }

  /// 64:ff9b::/96 is for all networks, the rest of it for each network by itself.
  private static boolean isPrivateNat64(byte[] b) {
    return !isZero(b, 4, 12) || isPrivate(within(b, 12));
  }

  /// Teredo names its server, and its client upside down.
  private static boolean isPrivateTeredo(byte[] b) {
    var client = Arrays.copyOf(b, V6);
    for (int i = 12; i < V6; i++) client[i] = (byte) ~client[i];
    return isPrivate(within(b, 4)) || isPrivate(within(client, 12));
  }

  /// Returns whether its last four bytes are an IPv4 address: compatible (::a.b.c.d), mapped
  /// (::ffff:a.b.c.d), translated (::ffff:0:a.b.c.d), or of ISATAP (...:5efe:a.b.c.d).
  private static boolean hasEmbedded4(byte[] b) {
    var isIsatap = (b[8] & 0xfd) == 0 && b[9] == 0 && b[10] == 0x5e && (b[11] & 0xff) == 0xfe;
    if (isIsatap) return true;
    if (!isZero(b, 0, 8)) return false;
    var isTranslated = (b[8] & b[9] & 0xff) == 0xff && isZero(b, 10, 12);
    var isMapped = isZero(b, 8, 10) && (b[10] & b[11] & 0xff) == 0xff;
    return isTranslated || isMapped || isZero(b, 8, 12);
  }

  private static boolean isZero(byte[] b, int from, int to) {
    for (int i = from; i < to; i++) if (b[i] != 0) return false;
    return true;
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
