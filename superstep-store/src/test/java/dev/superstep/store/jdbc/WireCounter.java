package dev.superstep.store.jdbc;

import dev.superstep.test.postgres.PostgresDatabase;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/// A proxy before a PostgreSQL that counts what clients send, by the messages of the protocol: a
/// client waits for the server once for each `Sync` and each simple `Query`, and the server runs a
/// statement for each `Execute`. Safe for many threads.
final class WireCounter implements AutoCloseable {
  private static final int PROTOCOL_3 = 196_608;
  private static final int BUFFER = 1 << 16;

  private final ServerSocket door;
  private final PostgresDatabase target;
  private final ConcurrentLinkedQueue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger trips = new AtomicInteger();
  private final AtomicInteger statements = new AtomicInteger();

  /// Numbers of what was sent.
  ///
  /// @param trips how often a client waited for the server
  /// @param statements that the server ran
  record Count(int trips, int statements) {}

  /// Work to count.
  interface Work {
    void run();
  }

  private WireCounter(PostgresDatabase target) throws IOException {
    this.target = target;
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  static WireCounter before(PostgresDatabase target) {
    try {
      var counter = new WireCounter(target);
      Thread.ofVirtual().start(counter::accept);
      return counter;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the same database, by way of this.
  PostgresDatabase database() {
    return new PostgresDatabase(target.name(), door.getLocalPort());
  }

  /// Counts what is sent while the work runs.
  Count count(Work work) {
    int tripsBefore = trips.get();
    int statementsBefore = statements.get();
    work.run();
    return new Count(trips.get() - tripsBefore, statements.get() - statementsBefore);
  }

  @Override
  public void close() {
    try {
      door.close();
      for (var socket : sockets) socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (true) {
      try {
        var client = door.accept();
        var server = new Socket(InetAddress.getLoopbackAddress(), target.port());
        for (var socket : List.of(client, server)) {
          socket.setTcpNoDelay(true);
          sockets.add(socket);
        }
        Thread.ofVirtual().start(() -> ended(() -> requests(client, server), client, server));
        Thread.ofVirtual().start(() -> ended(() -> answers(server, client), client, server));
      } catch (IOException _) {
        // Closed.
        return;
      }
    }
  }

  private interface Pump {
    void run() throws IOException;
  }

  private void ended(Pump pump, Socket... both) {
    try {
      pump.run();
    } catch (IOException _) {
      // One side is gone, and the other one learns of it below.
    } finally {
      for (var socket : both) {
        sockets.remove(socket);
        try {
          socket.close();
        } catch (IOException _) {
          // It is closed already.
        }
      }
    }
  }

  private static void answers(Socket server, Socket client) throws IOException {
    server.getInputStream().transferTo(client.getOutputStream());
  }

  /// Passes messages on, each in one piece, and all that have arrived together.
  private void requests(Socket client, Socket server) throws IOException {
    var in = new DataInputStream(new BufferedInputStream(client.getInputStream(), BUFFER));
    var out = new BufferedOutputStream(server.getOutputStream(), BUFFER);
    boolean isStarted = false;
    while (true) {
      if (in.available() == 0) out.flush();
      if (isStarted) {
        int type = in.read();
        if (type < 0) throw new EOFException();
        out.write(type);
        count(type, pass(in, out));
      } else {
        isStarted = ByteBuffer.wrap(pass(in, out)).getInt() == PROTOCOL_3;
      }
    }
  }

  private void count(int type, byte[] body) {
    switch (type) {
      case 'S' -> trips.incrementAndGet();
      case 'Q' -> {
        // The driver sends that together with the first statement of the transaction.
        boolean isBegin = new String(body, StandardCharsets.US_ASCII).startsWith("BEGIN");
        if (!isBegin) trips.incrementAndGet();
        statements.incrementAndGet();
      }
      case 'E' -> statements.incrementAndGet();
      default -> {}
    }
  }

  /// Passes the rest of a message on.
  private static byte[] pass(DataInputStream in, OutputStream out) throws IOException {
    int length = in.readInt();
    var body = new byte[length - Integer.BYTES];
    in.readFully(body);
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    out.write(body);
    return body;
  }
}
