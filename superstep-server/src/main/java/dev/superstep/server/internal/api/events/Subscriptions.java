package dev.superstep.server.internal.api.events;

import dev.superstep.server.internal.api.events.ProtocolFailure.Code;
import dev.superstep.server.internal.http.Socket;
import dev.superstep.server.internal.run.ThreadEventReader;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEvent;
import dev.superstep.server.internal.wire.stream.ProtocolFilter;
import dev.superstep.service.LogEntry;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.ObjectNode;

/// The subscriptions of one WebSocket: each event is sent once for all of them, in order; one that
/// is new gets what the others had before. Safe for many threads.
final class Subscriptions implements AutoCloseable {
  private static final int MOST = 200;

  private final ThreadEventReader reader;
  // A subscription begins between two events.
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, ProtocolFilter> open = new LinkedHashMap<>();
  private final long begin;
  private long sent;
  private int made;

  Subscriptions(ThreadEventReader reader) {
    this.reader = reader;
    this.begin = reader.follow();
    this.sent = begin;
  }

  /// The reply to a subscription, once its id is known.
  interface Opened {
    ObjectNode reply(String id);
  }

  /// Adds a subscription: sends the reply, and after it what there was before.
  void subscribe(ProtocolFilter filter, Socket socket, Opened opened)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      checkRoom();
      var id = SubscriptionIds.of(++made, filter);
      socket.send(opened.reply(id).toString());
      var _ = replay(begin, List.of(filter), socket);
      open.put(id, filter);
    } finally {
      lock.unlock();
    }
  }

  /// Restores subscriptions of a connection that was lost, with what they missed.
  ///
  /// @param after the place of the last event that the client has
  /// @return how many events were missed; -1 if an id is none of a subscription
  int restore(List<String> ids, long after, Socket socket)
      throws IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      var filters = new LinkedHashMap<String, ProtocolFilter>();
      for (var id : ids) {
        var filter = SubscriptionIds.filter(id);
        if (filter.isEmpty()) return -1;
        filters.put(id, filter.get());
      }
      for (var one : filters.entrySet()) {
        if (!open.containsKey(one.getKey())) checkRoom();
        open.put(one.getKey(), one.getValue());
      }
      // Ids of this connection go on after those of the other one.
      for (var id : ids) made = Math.max(made, number(id));
      return replay(after, List.copyOf(filters.values()), socket);
    } finally {
      lock.unlock();
    }
  }

  private static int number(String id) {
    try {
      return Integer.parseInt(id.substring(0, Math.max(0, id.indexOf('.'))));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private void checkRoom() {
    if (open.size() < MOST) return;
    throw new ProtocolFailure(
        Code.INVALID_ARGUMENT, "The connection has " + MOST + " subscriptions; end some of them.");
  }

  private int replay(long after, List<ProtocolFilter> filters, Socket socket)
      throws IOException, InterruptedException {
    int count = 0;
    long at = after;
    while (at < sent) {
      var page = reader.page(at);
      if (page.isEmpty()) break;
      for (var entry : page) {
        if (entry.offset() <= sent && send(entry, filters, socket)) count++;
      }
      at = page.getLast().offset();
    }
    return count;
  }

  private static boolean send(LogEntry entry, Iterable<ProtocolFilter> filters, Socket socket)
      throws IOException, InterruptedException {
    var stored = Trees.of(entry.value());
    for (var filter : filters) {
      if (!filter.accepts(stored)) continue;
      socket.send(ProtocolEvent.shown(stored, entry.offset()).toString());
      return true;
    }
    return false;
  }

  /// Ends a subscription.
  ///
  /// @return false if there was none with this id
  boolean unsubscribe(String id) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return open.remove(id) != null;
    } finally {
      lock.unlock();
    }
  }

  /// Sends the next events that are wanted, if some come in time.
  ///
  /// @return false if none came
  boolean sendNext(Socket socket, Duration most) throws IOException, InterruptedException {
    var entries = reader.await(most);
    if (entries.isEmpty()) return false;
    lock.lockInterruptibly();
    try {
      for (var entry : entries) {
        sent = entry.offset();
        var _ = send(entry, open.values(), socket);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
