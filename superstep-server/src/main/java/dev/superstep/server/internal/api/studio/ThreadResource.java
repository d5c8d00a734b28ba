package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.graph.Threads;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Json;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Threads as people look at them: how they stand, what they cost, what they ask, and how their
/// state came to be. Safe for many threads.
public final class ThreadResource implements Resource {
  private static final int PAGE = 50;
  private static final int PAGE_MOST = 500;
  private static final int TALLIES_MOST = 500;

  private final StudioGraphs graphs;
  private final Checkpointer store;
  private final StudioThreads threads;

  /// The counts so far, by thread, so that only what is new is read; the least recently used are
  /// forgotten. Guarded by itself.
  private final Map<String, Json> tallies =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Json> eldest) {
          return size() > TALLIES_MOST;
        }
      };

  public ThreadResource(StudioGraphs graphs, Checkpointer store, StudioThreads threads) {
    this.graphs = graphs;
    this.store = store;
    this.threads = threads;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("GET", "/superstep/threads/{thread}/summary", StudioReplies.answering(this::summary))
        .on(
            "GET",
            "/superstep/threads/{thread}/questions",
            StudioReplies.answering(this::questions))
        .on("GET", "/superstep/threads/{thread}/state", StudioReplies.answering(this::state))
        .on("GET", "/superstep/threads/{thread}/calls/{call}", StudioReplies.answering(this::call))
        .on(
            "GET",
            "/superstep/threads/{thread}/checkpoints",
            StudioReplies.answering(this::checkpoints));
  }

  private Reply summary(Call call) {
    var thread = admitted(call);
    var reply = StudioReplies.object().put("thread", thread);
    var found = SavedThread.find(store, thread);
    reply.put("status", found.map(known -> known.status(store)).orElse("idle"));
    found.ifPresent(known -> {
      reply.put("graph", graph(known).map(ServedGraph::id).orElse(known.checkpoint().graph()));
      reply.put("checkpoint", known.checkpoint().id());
      reply.put("step", known.checkpoint().step());
      reply.put("at", known.checkpoint().at().toString());
      var next = reply.putArray("next");
      known.next().forEach(next::add);
      reply.put("questions", known.questions().size());
    });
    boolean hasJournal = store.capability(EventJournal.class).isPresent();
    if (hasJournal) reply.set("totals", StudioReplies.tree(Json.of(tally(thread))));
    return Reply.ok(reply);
  }

  private RunTally tally(String thread) {
    var journal = ThreadJournal.of(store, thread);
    Json known;
    synchronized (tallies) {
      known = tallies.get(thread);
    }
    var result =
        known == null
            ? journal.project(RunTally.PROJECTION)
            : journal.project(RunTally.PROJECTION, known);
    synchronized (tallies) {
      tallies.put(thread, result.json());
    }
    return result.value();
  }

  private Reply questions(Call call) {
    var thread = admitted(call);
    var reply = StudioReplies.object();
    var all = reply.putArray("questions");
    SavedThread.find(store, thread)
        .ifPresent(found -> {
          var graph = graph(found);
          for (var question : found.questions()) all.add(QuestionTrees.of(question, graph));
        });
    return Reply.ok(reply);
  }

  private Reply state(Call call) {
    var thread = admitted(call);
    var at = call.query("checkpoint");
    var task = call.query("task");
    if (task.isPresent()) return Reply.ok(tree(inside(thread, task.get(), at)));
    var found =
        at.isPresent() ? SavedThread.at(store, thread, at.get()) : SavedThread.of(store, thread);
    return Reply.ok(tree(found));
  }

  /// A call of a tool, with its arguments and what was answered.
  private Reply call(Call call) {
    var thread = admitted(call);
    var id = call.part("call");
    var at = call.query("checkpoint");
    var task = call.query("task");
    var then =
        at.isEmpty()
            ? Optional.<ObjectNode>empty()
            : CallTrees.find(
                task.isPresent()
                    ? SavedThread.inside(store, thread, task.get(), at.get())
                    : SavedThread.at(store, thread, at.get()),
                id);
    var found =
        then.or(() ->
            task.isPresent()
                ? SavedThread.newestInside(store, thread, task.get())
                    .flatMap(state -> CallTrees.find(state, id))
                : SavedThread.find(store, thread).flatMap(state -> CallTrees.find(state, id)));
    return Reply.ok(
        found.orElseThrow(() ->
            new HttpFailure(
                404,
                ("No conversation in this state holds call `%s`. Look at the state of an earlier"
                        + " superstep: the graph may have shortened it since.")
                    .formatted(id))));
  }

  private SavedThread inside(String thread, String task, Optional<String> checkpoint) {
    var at =
        checkpoint.orElseThrow(
            () -> new HttpFailure(422, "With `task`, name a `checkpoint` of the graph inside it."));
    return SavedThread.inside(store, thread, task, at);
  }

  private ObjectNode tree(SavedThread found) {
    var reply = StudioReplies.object();
    reply.set("checkpoint", CheckpointTrees.of(found.checkpoint()));
    reply.set("values", found.values());
    var channels = reply.putObject("channels");
    graph(found).ifPresent(graph -> ChannelTrees.add(graph.graph(), channels));
    return reply;
  }

  private Reply checkpoints(Call call) {
    var thread = admitted(call);
    int limit = (int) StudioReplies.number(call, "limit", PAGE, PAGE_MOST);
    var reply = StudioReplies.object();
    var all = reply.putArray("checkpoints");
    for (var each : Threads.in(store).history(thread, call.query("before"), Math.max(1, limit))) {
      all.add(CheckpointTrees.withChanges(store, thread, each));
    }
    return Reply.ok(reply);
  }

  private Optional<ServedGraph> graph(SavedThread found) {
    return graphs.named(found.checkpoint().graph());
  }

  private String admitted(Call call) {
    var thread = call.part("thread");
    threads.admit(call, Access.Action.READ, thread);
    return thread;
  }
}
