package dev.superstep.mcp.server.internal.transport;

import dev.superstep.lock.Mutex;
import dev.superstep.mcp.internal.wire.Wire;
import dev.superstep.mcp.server.internal.protocol.Outlet;
import dev.superstep.server.extension.EventSource;
import dev.superstep.server.extension.ServerEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import tools.jackson.databind.node.ObjectNode;

/// The messages to a client by server-sent events, numbered, so that a client whose connection
/// breaks asks for the rest. Safe for many threads.
public final class EventStream implements Outlet {
  private static final int EVENTS_MAX = 2_000;
  private static final long CHARACTERS_MAX = 16L << 20;
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final String name;
  private final boolean isPrimed;
  private final Runnable onGone;
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Numbered> events = new ArrayDeque<>();
  private long last;
  private long characters;
  private long turn;
  private long heard;
  private int readers;
  private boolean isEnded;

  private record Numbered(long number, String data) {}

  /// @param isPrimed whether a reader is told its place before the first message
  EventStream(String name, boolean isPrimed) {
    this(name, isPrimed, () -> {});
  }

  /// @param name empty for a stream whose events have no ids, so that nobody comes again for them
  /// @param onGone is told that a reader left before the end
  EventStream(String name, boolean isPrimed, Runnable onGone) {
    this.name = name;
    this.isPrimed = isPrimed;
    this.onGone = onGone;
  }

  @Override
  public void send(ObjectNode message) {
    var text = Wire.write(message);
    try (var _ = lock.hold()) {
      if (isEnded) return;
      events.addLast(new Numbered(++last, text));
      characters += text.length();
      while (events.size() > EVENTS_MAX || (characters > CHARACTERS_MAX && events.size() > 1)) {
        characters -= events.removeFirst().data().length();
      }
      changed.signalAll();
    }
  }

  /// Ends the streams of those who read now; what comes is kept for when they come again.
  @Override
  public void comeAgain(Duration after) {
    try (var _ = lock.hold()) {
      turn++;
      changed.signalAll();
    }
  }

  /// No message will come any more.
  void end() {
    try (var _ = lock.hold()) {
      isEnded = true;
      changed.signalAll();
    }
  }

  boolean isEnded() {
    try (var _ = lock.hold()) {
      return isEnded;
    }
  }

  boolean isRead() {
    try (var _ = lock.hold()) {
      return readers > 0;
    }
  }

  long characters() {
    try (var _ = lock.hold()) {
      return characters;
    }
  }

  /// Reads what comes after an event. Who reads already is taken off.
  EventSource after(long number) {
    try (var _ = lock.hold()) {
      turn++;
      readers++;
      changed.signalAll();
      return new Reader(number, turn);
    }
  }

  /// Reads what nobody has read. Who reads already is taken off.
  EventSource newest() {
    try (var _ = lock.hold()) {
      return after(heard);
    }
  }

  private final class Reader implements EventSource {
    private final long ownTurn;
    private long place;
    private boolean isFirst = true;
    private boolean isClosed;

    Reader(long place, long ownTurn) {
      this.place = place;
      this.ownTurn = ownTurn;
    }

    @Override
    public List<ServerEvent> next(Duration most) throws InterruptedException {
      if (isFirst && isPrimed) {
        isFirst = false;
        return List.of(new ServerEvent(id(place), "", "", Optional.of(RETRY)));
      }
      long nanos = most.toNanos();
      try (var _ = lock.holdInterruptibly()) {
        while (place >= last && !isOver() && nanos > 0) nanos = changed.awaitNanos(nanos);
        if (turn != ownTurn) return List.of();
        var found = new ArrayList<ServerEvent>();
        for (var one : events) {
          if (one.number() <= place) continue;
          found.add(new ServerEvent(id(one.number()), "", one.data()));
        }
        place = Math.max(place, last);
        heard = Math.max(heard, place);
        return found;
      }
    }

    private String id(long number) {
      return name.isEmpty() ? "" : name + "-" + number;
    }

    @Override
    public boolean isOver() {
      try (var _ = lock.hold()) {
        return turn != ownTurn || (isEnded && place >= last);
      }
    }

    @Override
    public void close(boolean isComplete) {
      try (var _ = lock.hold()) {
        if (!isClosed) readers--;
        isClosed = true;
        if (isEnded && place >= last) return;
      }
      onGone.run();
    }
  }
}
