package dev.superstep.server.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/// Says which addresses the server may connect to for others: those of the public internet, and
/// those that its operator allows. Everything else is refused, such as this machine, private and
/// link-local networks, and the metadata of clouds. Immutable.
///
/// Whoever asks must connect to one of the addresses that it returns, and not look up the name
/// again: the next answer may be another one.
public final class AddressGuard {
  // From IANA's registries of special-purpose addresses. Of IPv6, only 2000::/3 is in use.
  private static final List<AddressBlock> SPECIAL =
      Stream.of(
              "0.0.0.0/8",
              "10.0.0.0/8",
              "100.64.0.0/10",
              "127.0.0.0/8",
              "169.254.0.0/16",
              "172.16.0.0/12",
              "192.0.0.0/24",
              "192.0.2.0/24",
              "192.88.99.0/24",
              "192.168.0.0/16",
              "198.18.0.0/15",
              "198.51.100.0/24",
              "203.0.113.0/24",
              "224.0.0.0/4",
              "240.0.0.0/4",
              // Teredo and others; tunnels with an address of IPv4 inside.
              "2001::/23",
              "2001:db8::/32",
              "2002::/16",
              "3fff::/20")
          .map(AddressBlock::parse)
          .toList();
  private static final AddressBlock GLOBAL = AddressBlock.parse("2000::/3");
  private static final int IPV4_BYTES = 4;

  private final List<AddressBlock> allowed;
  private final Resolver resolver;

  /// Looks up the addresses of a host.
  @FunctionalInterface
  public interface Resolver {
    /// Returns all addresses.
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  private AddressGuard(List<AddressBlock> allowed, Resolver resolver) {
    this.allowed = allowed;
    this.resolver = resolver;
  }

  /// A guard that allows public addresses.
  ///
  /// @param allowed further addresses and blocks, such as `10.1.0.0/16`
  /// @throws IllegalArgumentException if one is no block
  public static AddressGuard allowing(Collection<String> allowed) {
    return new AddressGuard(
        allowed.stream().map(AddressBlock::parse).toList(), InetAddress::getAllByName);
  }

  /// Returns a guard with another way to look up names.
  public AddressGuard with(Resolver other) {
    return new AddressGuard(allowed, other);
  }

  /// Looks up a host.
  ///
  /// @return its addresses, at least one
  /// @throws ForbiddenAddress if one of them is not allowed
  public List<InetAddress> addresses(String host) throws IOException {
    var found = List.of(resolver.addresses(host));
    for (var address : found) {
      if (!isAllowed(address)) throw new ForbiddenAddress(host);
    }
    if (found.isEmpty()) throw new UnknownHostException(host);
    return found;
  }

  /// Returns whether the server may connect to an address.
  public boolean isAllowed(InetAddress address) {
    return allowed.stream().anyMatch(block -> block.contains(address)) || isPublic(address);
  }

  private static boolean isPublic(InetAddress address) {
    boolean isOld = address.getAddress().length == IPV4_BYTES;
    return (isOld || GLOBAL.contains(address))
        && SPECIAL.stream().noneMatch(block -> block.contains(address));
  }
}
