package dev.superstep.server.internal.api.studio;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Replay;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.node.Update;
import dev.superstep.run.Divergence;
import dev.superstep.run.StateUpdate;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.api.Resource;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Access;
import dev.superstep.state.Channel;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Forks, rewinds and replays threads for the studio, and edits their state. Safe for many threads.
public final class ThreadEdits implements Resource {
  private final StudioGraphs graphs;
  private final Checkpointer store;
  private final StudioThreads threads;

  public ThreadEdits(StudioGraphs graphs, Checkpointer store, StudioThreads threads) {
    this.graphs = graphs;
    this.store = store;
    this.threads = threads;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("POST", "/superstep/threads/{thread}/fork", StudioReplies.answering(this::fork))
        .on("POST", "/superstep/threads/{thread}/rewind", StudioReplies.answering(this::rewind))
        .on("POST", "/superstep/threads/{thread}/replay", StudioReplies.answering(this::replay))
        .on("POST", "/superstep/threads/{thread}/state", StudioReplies.answering(this::edit));
  }

  private Reply fork(Call call) {
    var thread = admitted(call, Access.Action.READ);
    var as = StudioReplies.text(call.body(), "as").orElseGet(() -> UUID.randomUUID().toString());
    var checkpoint = StudioReplies.need(call.body(), "checkpoint_id");
    threads.admit(call, Access.Action.CREATE, as);
    var graph = served(SavedThread.at(store, thread, checkpoint)).graph();
    var made = Threads.in(store).reaching(graph).fork(thread, checkpoint, as);
    threads.forked(call, thread, as);
    var reply = StudioReplies.object().put("thread", as);
    reply.set("checkpoint", CheckpointTrees.of(made));
    return Reply.ok(reply);
  }

  private Reply rewind(Call call) {
    var thread = admitted(call, Access.Action.UPDATE);
    var checkpoint = StudioReplies.need(call.body(), "checkpoint_id");
    var made = Threads.in(store).rewind(thread, checkpoint);
    threads.changed(thread);
    var reply = StudioReplies.object().put("thread", thread);
    reply.set("checkpoint", CheckpointTrees.of(made));
    return Reply.ok(reply);
  }

  private Reply replay(Call call) throws InterruptedException {
    var thread = admitted(call, Access.Action.READ);
    var graph = served(SavedThread.of(store, thread)).graph();
    var replay = Replay.of(graph, store).thread(thread);
    var from = StudioReplies.text(call.body(), "from");
    if (from.isPresent()) replay = replay.from(from.get());
    var to = StudioReplies.text(call.body(), "to");
    if (to.isPresent()) replay = replay.to(to.get());
    var result = replay.run();
    var reply =
        StudioReplies.object()
            .put("supersteps", result.supersteps())
            .put("equal", result.isEqual())
            .put("text", result.text());
    var uncompared = reply.putArray("uncompared");
    result.uncompared().forEach(uncompared::add);
    result.divergence().ifPresent(found -> reply.set("divergence", tree(found)));
    return Reply.ok(reply);
  }

  private static ObjectNode tree(Divergence found) {
    var tree =
        StudioReplies.object()
            .put("checkpoint", found.checkpoint())
            .put("step", found.step())
            .put("what", found.what().name().toLowerCase(java.util.Locale.ROOT))
            .put("node", found.node())
            .put("channel", found.channel())
            .put("recorded", found.recorded())
            .put("now", found.now())
            .put("text", found.text());
    var path = tree.putArray("path");
    found.path().forEach(path::add);
    return tree;
  }

  /// Replaces the values of channels, as a node that writes them so.
  private Reply edit(Call call) {
    var thread = admitted(call, Access.Action.UPDATE);
    var body = call.body();
    var known = SavedThread.of(store, thread);
    var seen = StudioReplies.text(body, "checkpoint_id");
    if (seen.isPresent() && !seen.get().equals(known.checkpoint().id())) {
      throw new HttpFailure(
          409,
          "Thread `" + thread + "` has a newer state than you edited. Load it, and edit again.");
    }
    var served = served(known);
    var values = body.get("values");
    if (values == null || !values.isObject()) {
      throw new HttpFailure(422, "The body must have an object `values`: channels to values.");
    }
    var node = StudioReplies.text(body, "as_node").orElseGet(() -> lastRun(known));
    var options = served.options().apply(RunOptions.thread(thread).checkpoints(store).journal());
    var state =
        served.graph().update(options, StateUpdate.as(node, writes(served.graph(), values)));
    threads.changed(thread);
    var reply = StudioReplies.object().put("thread", thread).put("checkpoint", state.checkpoint());
    var next = reply.putArray("next");
    state.next().forEach(next::add);
    return Reply.ok(reply);
  }

  private static String lastRun(SavedThread known) {
    var ran = known.checkpoint().progress().ran();
    if (!ran.isEmpty()) return ran.getLast();
    throw new HttpFailure(
        422, "No node has run before this state. Say in `as_node` as which node you edit it.");
  }

  private static Update writes(Graph graph, JsonNode values) {
    var update = new Update(List.of());
    var channels = graph.parts().channels();
    for (var each : values.properties()) {
      var channel =
          channels.stream()
              .filter(known -> known.name().equals(each.getKey()))
              .findFirst()
              .orElseThrow(
                  () -> new HttpFailure(422, "The graph has no channel `" + each.getKey() + "`."));
      update = update.and(overwrite(channel, each.getValue()));
    }
    return update;
  }

  private static <V> Update overwrite(Channel<V, ?> channel, JsonNode value) {
    return Update.overwrite(channel, channel.values().decode(Json.parse(value.toString())));
  }

  private ServedGraph served(SavedThread thread) {
    var name = thread.checkpoint().graph();
    return graphs
        .named(name)
        .orElseThrow(() ->
            new HttpFailure(
                409, "Graph `" + name + "`, to which the thread belongs, is not served here."));
  }

  private String admitted(Call call, Access.Action action) {
    var thread = call.part("thread");
    threads.admit(call, action, thread);
    return thread;
  }
}
