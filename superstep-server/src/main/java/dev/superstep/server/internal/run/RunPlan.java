package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.node.Command;
import dev.superstep.node.Send;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.run.StateUpdate;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.queue.RunRequest;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.RunMetadata;
import dev.superstep.server.internal.wire.ThreadStates;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/// Brings a thread to where a run begins, and says how it begins: with input, with answers or by
/// going on. For one run.
final class RunPlan {
  private final GraphWire wire;
  private final Checkpointer store;
  private final String thread;
  private final RunRequest request;

  RunPlan(GraphWire wire, Checkpointer store, String thread, RunRequest request) {
    this.wire = wire;
    this.store = store;
    this.thread = thread;
    this.request = request;
  }

  /// The way in which a run begins.
  sealed interface Begin {
    /// The options of the run, with what belongs to its start.
    RunOptions options();

    /// The number of inputs that the thread had before the one that the run works on.
    int inputs();

    /// With new input.
    record WithInput(Input input, RunOptions options, int inputs) implements Begin {}

    /// From where the thread is.
    ///
    /// @param resume the answers, if the client sent some
    record Resumed(Optional<JsonNode> resume, RunOptions options, int inputs) implements Begin {}
  }

  /// Prepares a thread. Work that an earlier worker of the run has done is found and not repeated.
  ///
  /// @param run its id, which is in the metadata of checkpoints that it wrote
  /// @throws HttpFailure if the request does not fit the thread
  Begin prepare(String run, RunOptions options) {
    if (hasBegun(run)) return resumed(request.resume(), options);
    var parent = rewind();
    var command = request.command();
    if (command.isPresent()) return commanded(command.get(), options);
    if (!request.hasInput()) return resumed(Optional.empty(), options);
    var input = wire.input(request.input());
    return begun(input, parent.map(id -> options.metadata(RunMetadata.PARENT, id)).orElse(options));
  }

  private Begin begun(Input input, RunOptions options) {
    int inputs = latest().map(at -> inputs(at) + 1).orElse(0);
    return new Begin.WithInput(input, counted(options.discardPending(), inputs), inputs);
  }

  private Begin resumed(Optional<JsonNode> resume, RunOptions options) {
    int inputs = latest().map(RunPlan::inputs).orElse(0);
    return new Begin.Resumed(resume, counted(options, inputs), inputs);
  }

  private static RunOptions counted(RunOptions options, int inputs) {
    return options.metadata(RunMetadata.INPUTS, String.valueOf(inputs));
  }

  /// A thread that was taken back to before its first input has had none.
  private Optional<Checkpoint> latest() {
    return store
        .latest(Lineage.of(thread))
        .map(saved -> saved.checkpoint())
        .filter(at -> at.step() >= 0);
  }

  private static int inputs(Checkpoint at) {
    try {
      return Integer.parseInt(at.metadata().getOrDefault(RunMetadata.INPUTS, "0"));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private boolean hasBegun(String run) {
    return store
        .latest(Lineage.of(thread))
        .filter(at -> at.checkpoint().metadata().getOrDefault("run_id", "").equals(run))
        .isPresent();
  }

  // --- Older checkpoints ---

  /// Takes the thread back to the checkpoint from which the run begins.
  ///
  /// @return the checkpoint that its input is on for clients, if the engine does not show that
  private Optional<String> rewind() {
    var wanted = request.checkpoint();
    if (wanted.isEmpty() || wanted.get().id().isEmpty()) return Optional.empty();
    var place =
        new ThreadStates(wire, store)
            .resolve(thread, wanted.get())
            .orElseThrow(() ->
                new HttpFailure(
                    404, "Checkpoint " + wanted.get().id().get() + " not found on this thread."));
    if (place.inside().isPresent()) return inside(place);
    if (place.isBeforeInput() && request.hasInput()) {
      back(place.rewindTo());
      return wanted.get().id();
    }
    back(Optional.of(place.checkpoint()));
    return Optional.empty();
  }

  private Optional<String> inside(ThreadStates.Place place) {
    var child = place.inside().orElseThrow();
    boolean isNewest =
        child.state().filter(state -> state.checkpoint().equals(place.checkpoint())).isPresent();
    if (!isNewest) child.rewind(place.checkpoint());
    return Optional.empty();
  }

  private void back(Optional<String> checkpoint) {
    var newest = store.latest(Lineage.of(thread)).map(saved -> saved.checkpoint().id());
    if (newest.equals(checkpoint)) return;
    var threads = Threads.in(store).reaching(wire.served().graph());
    if (checkpoint.isPresent()) threads.rewind(thread, checkpoint.get());
    else if (newest.isPresent()) threads.restart(thread);
  }

  // --- Commands ---

  private Begin commanded(ObjectNode command, RunOptions options) {
    var resume = request.resume();
    var to = command.path("goto");
    var update = command.path("update");
    boolean goes = !to.isMissingNode() && !to.isNull() && !(to.isArray() && to.isEmpty());
    boolean writes = !update.isMissingNode() && !update.isNull();
    if (resume.isPresent()) {
      if (goes) redirect(to, update, options);
      else if (writes) write(update, options);
      return resumed(resume, options);
    }
    if (goes) return gone(to, update, options);
    if (writes) edit(update, options);
    return resumed(Optional.empty(), options);
  }

  private Begin gone(JsonNode to, JsonNode update, RunOptions options) {
    var result = wire.command(to, update);
    if (!(result instanceof Command command)) return resumed(Optional.empty(), options);
    var starts = new ArrayList<>(command.gotos());
    boolean ends = starts.remove(Graph.END);
    var sends = List.<Send<?>>copyOf(command.sends());
    if (starts.isEmpty() && sends.isEmpty() && ends) {
      var graph = wire.served().graph();
      var writes = command.update().writes();
      var discarding = options.discardPending();
      if (!writes.isEmpty()) edit(update, options);
      graph.update(discarding);
      return resumed(Optional.empty(), options);
    }
    var input = new Input(command.update().writes(), starts, sends);
    return begun(input, options);
  }

  /// Writes to the state while tasks wait for answers, as if a node had run that is not among them
  /// and that leads nowhere.
  private void write(JsonNode update, RunOptions options) {
    var due = due(options);
    var as =
        wire.served().graph().parts().nodes().stream()
            .map(node -> node.name())
            .filter(node -> !due.contains(node))
            .findFirst();
    if (as.isEmpty()) {
      redirect(JsonNodeFactory.instance.arrayNode(), update, options);
      return;
    }
    var result = new Command(wire.update(update), List.of(), List.of());
    wire.served().graph().update(options, new StateUpdate(as.get(), result));
  }

  private List<String> due(RunOptions options) {
    return wire.served().graph().state(options).map(at -> at.next()).orElse(List.of());
  }

  /// Makes other nodes due beside those that wait for answers. As after an input, these begin anew
  /// and ask again.
  private void redirect(JsonNode to, JsonNode update, RunOptions options) {
    var starts = new ArrayList<>(due(options));
    var sends = List.<Send<?>>of();
    var writes = new Update(List.of());
    switch (wire.command(to, update)) {
      case Command command -> {
        command.gotos().stream().filter(node -> !starts.contains(node)).forEach(starts::add);
        sends = command.sends();
        writes = command.update();
      }
      case Update alone -> writes = alone;
      default -> throw new IllegalStateException("a command is an update or goes to nodes");
    }
    starts.remove(Graph.END);
    var result = new Command(writes, starts, sends);
    wire.served().graph().update(options, new StateUpdate(Graph.START, result));
  }

  private void edit(JsonNode update, RunOptions options) {
    var as = EditNode.of(wire, store, thread);
    wire.served().graph().update(options, new StateUpdate(as, wire.update(update)));
  }

  /// Nothing of a request.
  static JsonNode nothing() {
    return MissingNode.getInstance();
  }

  /// The metadata of a run for its checkpoints.
  static RunOptions described(RunOptions options, Map<String, String> metadata) {
    var all = options;
    for (var entry : metadata.entrySet()) all = all.metadata(entry.getKey(), entry.getValue());
    return all;
  }
}
