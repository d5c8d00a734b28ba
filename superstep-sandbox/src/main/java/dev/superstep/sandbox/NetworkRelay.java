package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.process.PrivateFiles;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/// A proxy for HTTP on a socket in the file system, which connects to allowed hosts only. Commands
/// without a network reach these hosts by it. It takes `CONNECT`, which programs use for HTTPS, and
/// plain requests.
///
/// A name that stands for an address of this machine or its network is refused, unless the host is
/// allowed as private. Each name is resolved once for a connection, which then goes to the checked
/// address. Nothing is known of what goes through an encrypted connection: data can leave through
/// an allowed host, and through others that the same server answers for. Safe for many threads.
///
/// ```java
/// try (var relay = NetworkRelay.open("api.example.org:443")) {
///   sandbox.run(command.network(relay));
/// }
/// ```
public final class NetworkRelay implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 64;
  private static final int ATTEMPTS_MAX = 1_000;

  private final List<RelayHost> hosts;
  private final Path folder;
  private final Path socket;
  private final ServerSocketChannel server;
  private final Semaphore free = new Semaphore(CONNECTIONS_MAX);
  private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
  private final List<Attempt> attempts = new ArrayList<>();

  /// A connection that a command asked for.
  ///
  /// @param host the host with its port, as it was asked for
  /// @param isAllowed whether it was made
  /// @param reason why not; empty if it was
  public record Attempt(String host, boolean isAllowed, String reason) {}

  private NetworkRelay(List<RelayHost> hosts, Path folder) throws IOException {
    this.hosts = hosts;
    this.folder = folder;
    this.socket = folder.resolve("relay");
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
  }

  /// A relay to hosts: each a name or an address, or `*.example.org` for all names below it, with a
  /// port.
  public static NetworkRelay open(String... hosts) throws IOException {
    return open(List.of(hosts), List.of());
  }

  /// A relay to hosts, and to others even if these are in the local network or this machine.
  public static NetworkRelay open(List<String> hosts, List<String> privateHosts)
      throws IOException {
    var all = new ArrayList<RelayHost>();
    for (var host : hosts) all.add(RelayHost.parse(host, false));
    for (var host : privateHosts) all.add(RelayHost.parse(host, true));
    var folder = PrivateFiles.folder("superstep-relay-");
    try {
      var relay = new NetworkRelay(List.copyOf(all), folder);
      Thread.ofVirtual().name("superstep-relay").start(relay::serve);
      return relay;
    } catch (IOException e) {
      PrivateFiles.delete(folder);
      throw e;
    }
  }

  /// The allowed hosts, each with a port.
  public List<String> allowed() {
    return hosts.stream().map(RelayHost::toString).toList();
  }

  /// The socket that it listens on. Only the user of this process may connect to it.
  public Path socket() {
    return socket;
  }

  /// The newest connections that commands asked for, the oldest first.
  public List<Attempt> attempts() {
    synchronized (attempts) {
      return List.copyOf(attempts);
    }
  }

  private void serve() {
    while (server.isOpen()) {
      try {
        var client = server.accept();
        if (!free.tryAcquire()) {
          client.close();
          continue;
        }
        open.add(client);
        Thread.ofVirtual().name("superstep-relay-connection").start(() -> serve(client));
      } catch (IOException _) {
        return; // closed
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      new RelayConnection(client, hosts, this::report).run();
    } catch (IOException _) {
      return; // one of both ends is gone
    } finally {
      open.remove(client);
      free.release();
    }
  }

  private void report(Attempt attempt) {
    synchronized (attempts) {
      if (attempts.size() == ATTEMPTS_MAX) attempts.removeFirst();
      attempts.add(attempt);
    }
  }

  /// Ends all connections.
  @Override
  public void close() {
    try {
      server.close();
      for (var client : open) client.close();
    } catch (IOException _) {
      // It listens no more in any case.
    } finally {
      PrivateFiles.delete(folder);
    }
  }

  @Override
  public String toString() {
    return "NetworkRelay" + allowed();
  }
}
