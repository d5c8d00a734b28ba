package dev.superstep.workspace;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

/// Finds the addresses of a host. A fetch calls it once for each hop, and connects to the addresses
/// that it returns.
@FunctionalInterface
interface AddressLookup {
  /// Finds the addresses of a host, at least one.
  ///
  /// @throws UnknownHostException if there is no such host
  List<InetAddress> of(String host) throws UnknownHostException;

  /// As the system does.
  AddressLookup SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /// Finds the addresses within a time limit, on a thread that may be lost, because a name server
  /// may never answer.
  default List<InetAddress> within(Duration time, String host) throws IOException {
    var call = ExpendableThreads.begin(() -> of(host), _ -> {}, time);
    call.await(time);
    return call.result("no server told the addresses of the host in time");
  }
}
