package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import java.util.Map;

/// The events of threads, page by page and live. Safe for many threads.
public final class JournalResource implements Resource {
  private static final int PAGE = 1_000;
  private static final int PAGE_MOST = 10_000;

  private final Checkpointer store;
  private final StudioThreads threads;

  public JournalResource(Checkpointer store, StudioThreads threads) {
    this.store = store;
    this.threads = threads;
  }

  @Override
  public void addTo(Routes routes) {
    routes.on("GET", "/superstep/threads/{thread}/events", StudioReplies.answering(this::events));
  }

  private Reply events(Call call) {
    var thread = call.part("thread");
    threads.admit(call, Access.Action.READ, thread);
    var journal = journal(call, thread);
    boolean isLive =
        call.header("Accept")
            .filter(accepted -> accepted.contains("text/event-stream"))
            .isPresent();
    if (isLive) return new Reply.Events(new JournalFrames(journal.tail(after(call))), Map.of());
    return page(call, journal);
  }

  private ThreadJournal journal(Call call, String thread) {
    var journal = ThreadJournal.of(store, thread);
    var runs = call.queries("run");
    if (runs.isEmpty()) return journal;
    return journal.only(EntryFilter.all().runs(runs.toArray(String[]::new)));
  }

  /// A client that was cut off names the last event that it has seen.
  private static long after(Call call) {
    var seen = call.header("Last-Event-ID");
    if (seen.isEmpty()) return StudioReplies.number(call, "after", 0, Long.MAX_VALUE);
    try {
      return Long.parseLong(seen.get());
    } catch (NumberFormatException _) {
      throw new HttpFailure(422, "`Last-Event-ID` must be the id of an event of this stream.");
    }
  }

  private static Reply page(Call call, ThreadJournal journal) {
    int limit = (int) StudioReplies.number(call, "limit", PAGE, PAGE_MOST);
    long after = StudioReplies.number(call, "after", 0, Long.MAX_VALUE);
    var reply = StudioReplies.object();
    var events = reply.putArray("events");
    long last = after;
    for (var entry : journal.entries(after, limit)) {
      last = entry.offset();
      events.addObject().put("offset", last).set("event", StudioReplies.tree(entry.event()));
    }
    reply.put("next", last);
    reply.put("last", journal.lastOffset());
    return Reply.ok(reply);
  }
}
