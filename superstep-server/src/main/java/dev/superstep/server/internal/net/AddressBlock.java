package dev.superstep.server.internal.net;

import java.net.InetAddress;

/// A block of addresses, such as `10.0.0.0/8`. Immutable.
///
/// @param first as many bytes as an address has
/// @param bits how many of them all of its addresses share
record AddressBlock(InetAddress first, int bits) {
  /// Reads a block, or a single address.
  ///
  /// @throws IllegalArgumentException if it is none
  static AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    var address = literal(slash < 0 ? text : text.substring(0, slash), text);
    int most = address.getAddress().length * Byte.SIZE;
    int bits = slash < 0 ? most : number(text.substring(slash + 1), text);
    if (bits > most) throw wrong(text);
    return new AddressBlock(address, bits);
  }

  private static InetAddress literal(String address, String text) {
    try {
      // No name, which would be looked up.
      return InetAddress.ofLiteral(address);
    } catch (IllegalArgumentException _) {
      throw wrong(text);
    }
  }

  private static int number(String bits, String text) {
    if (!bits.matches("[0-9]{1,3}")) throw wrong(text);
    return Integer.parseInt(bits);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "`" + text + "` is no block of addresses; write it as `10.0.0.0/8` or `fd00::/8`");
  }

  boolean contains(InetAddress address) {
    var mine = first.getAddress();
    var other = address.getAddress();
    if (mine.length != other.length) return false;
    for (int bit = 0; bit < bits; bit++) {
      int mask = 0x80 >> bit % Byte.SIZE;
      int at = bit / Byte.SIZE;
      if ((mine[at] & mask) != (other[at] & mask)) return false;
    }
    return true;
  }

  @Override
  public String toString() {
    return first.getHostAddress() + "/" + bits;
  }
}
