package dev.superstep.agui;

import dev.superstep.json.Json;
import dev.superstep.server.extension.EventSource;
import dev.superstep.server.extension.RequestRefused;
import dev.superstep.server.extension.ServerApi;
import dev.superstep.server.extension.ServerEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The stream of a run to its client. For one thread.
final class RunSource implements EventSource {
  private static final List<String> CHANNELS =
      List.of("values", "messages", "tools", "lifecycle", "input", "tasks", "custom");

  private final ServerApi api;
  private final RunStart.Started run;
  private final RunEvents events;
  private final boolean cancels;
  private @Nullable EventSource thread;

  RunSource(ServerApi api, RunStart.Started run, RunEvents events, boolean cancels) {
    this.api = api;
    this.run = run;
    this.events = events;
    this.cancels = cancels;
  }

  @Override
  public List<ServerEvent> next(Duration most) throws InterruptedException {
    if (thread == null) {
      thread = opened();
      return sent(events.begin());
    }
    var all = new ArrayList<ServerEvent>();
    for (var event : thread.next(most)) {
      if (events.isOver()) break;
      all.addAll(sent(events.of(Trees.of(event.data()))));
    }
    return all;
  }

  private EventSource opened() {
    var body = Trees.object();
    var channels = body.putArray("channels");
    CHANNELS.forEach(channels::add);
    if (run.since() >= 0) body.put("since", run.since());
    var path = RunStart.path(run.thread()) + "/stream/events";
    return api.stream("POST", path, Trees.json(body), "");
  }

  private static List<ServerEvent> sent(List<ObjectNode> events) {
    return events.stream().map(event -> new ServerEvent("", "", Trees.text(event))).toList();
  }

  @Override
  public boolean isOver() {
    return events.isOver() || (thread != null && thread.isOver());
  }

  @Override
  public void close(boolean isComplete) {
    if (thread != null) thread.close(isComplete);
    if (!events.isOver() && cancels) cancel();
  }

  private void cancel() {
    // The request would end at once if the thread were still interrupted.
    boolean isInterrupted = Thread.interrupted();
    try {
      var path = RunStart.path(run.thread()) + "/runs/" + run.run() + "/cancel";
      var _ = api.send("POST", path, Json.ofNull());
    } catch (InterruptedException _) {
      isInterrupted = true;
    } catch (RequestRefused _) {
      // It has ended meanwhile.
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }
}
