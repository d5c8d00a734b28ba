package dev.superstep.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The events for one client: those of the journal, then those of a run. Its thread waits for what
/// is to come.
///
/// @param feed the run, or null if it is still to come
/// @param number what the client has of it
/// @param isOpen whether a run is to be waited for
record RunDelivery(
    JournalReplay replay, String thread, @Nullable RunFeed feed, long number, boolean isOpen) {
  /// The client's end.
  interface Client {
    void send(SentEvent event) throws IOException, InterruptedException;

    /// Says that nothing came for a while.
    void beat() throws IOException, InterruptedException;
  }

  /// A run from an event on.
  static RunDelivery of(RunFeed feed, long number) {
    return new RunDelivery(JournalReplay.NONE, "", feed, number, true);
  }

  /// The newest run of a thread, or what a client that saw an event of it before has missed.
  ///
  /// @param lastEventId as the client sent it, or null
  /// @return empty if nothing is left to be sent
  static Optional<RunDelivery> following(Runs runs, String thread, @Nullable String lastEventId) {
    var journal = new JournalReplays(runs);
    var seen = EventId.parse(lastEventId);
    var feed = runs.feeds().find(thread);
    if (feed.isEmpty()) {
      var replay = seen.map(id -> journal.replay(thread, id)).orElse(JournalReplay.NONE);
      boolean isOpen = journal.isOpen(thread);
      return replay.events().isEmpty() && !isOpen
          ? Optional.empty()
          : Optional.of(new RunDelivery(replay, thread, null, 0, isOpen));
    }
    var newest = feed.get();
    if (seen.isEmpty()) return Optional.of(of(newest, 0));
    var id = seen.get();
    if (!id.run().equals(newest.run())) {
      return Optional.of(new RunDelivery(journal.replay(thread, id), thread, newest, 0, true));
    }
    return newest.isReadUpTo(id.number()) ? Optional.empty() : Optional.of(of(newest, id.number()));
  }

  /// Sends all events, and returns when the run has ended.
  ///
  /// @param heartbeat how long nothing may come before the client is told so
  /// @throws IOException if the client has gone
  void to(Client client, Runs runs, Duration heartbeat) throws IOException, InterruptedException {
    for (var sent : replay.events()) client.send(sent);
    var run = feed;
    if (run == null && isOpen) run = awaited(client, runs, heartbeat);
    if (run != null) follow(run, client, heartbeat);
  }

  /// Waits until a run is resumed here, or has ended in another process.
  private @Nullable RunFeed awaited(Client client, Runs runs, Duration heartbeat)
      throws IOException, InterruptedException {
    var journal = new JournalReplays(runs);
    while (true) {
      var found = runs.feeds().await(thread, heartbeat);
      if (found.isPresent()) return found.get();
      if (!journal.isOpen(thread)) {
        for (var sent : journal.after(thread, replay.offset())) client.send(sent);
        return null;
      }
      client.beat();
    }
  }

  private void follow(RunFeed run, Client client, Duration heartbeat)
      throws IOException, InterruptedException {
    long at = number;
    while (!run.isReadUpTo(at)) {
      var next = run.next(at, heartbeat);
      if (next.isEmpty()) {
        client.beat();
        continue;
      }
      at = next.get().number();
      client.send(SentEvent.of(new EventId(run.run(), at), next.get().event()));
    }
  }
}
