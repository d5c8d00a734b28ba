package dev.superstep.server.internal.api;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Command;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.StateUpdate;
import dev.superstep.run.ThreadState;
import dev.superstep.server.internal.documents.ThreadDocuments;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.run.EditNode;
import dev.superstep.server.internal.run.RunService;
import dev.superstep.server.internal.wire.CheckpointRef;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.ThreadStates;
import dev.superstep.service.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Changes the states of threads between two runs. Safe for many threads.
public final class StateEdits {
  private final Service service;
  private final ThreadAccess access;
  private final RunService runs;

  public StateEdits(Service service, ThreadAccess access, RunService runs) {
    this.service = service;
    this.access = access;
    this.runs = runs;
  }

  /// An edit as a client sends it.
  ///
  /// @param values as an object by channels, a list of these, or nothing
  /// @param asNode the node as which it is made, if the client names one
  /// @param at the checkpoint on which it is made
  record Edit(JsonNode values, Optional<String> asNode, CheckpointRef at) {}

  /// Makes an edit.
  ///
  /// @return the checkpoint that holds it, as clients see it
  /// @throws HttpFailure 409 while a run is at work on the thread
  ObjectNode edit(Document thread, Edit edit) {
    var wire = access.graph(thread);
    checkIdle(thread);
    try {
      if (edit.at().namespace().isEmpty()) editOwn(thread, wire, edit);
      else editInside(thread, wire, edit);
    } catch (ThreadBusy busy) {
      throw busy(thread);
    } catch (HttpFailure failure) {
      throw failure;
    } catch (SuperstepException | IllegalArgumentException e) {
      throw new HttpFailure(400, String.valueOf(e.getMessage()));
    }
    settle(thread, wire);
    return newest(thread, wire, edit.at().namespace());
  }

  private ObjectNode newest(Document thread, GraphWire wire, String namespace) {
    var ref = new CheckpointRef(Optional.empty(), namespace);
    var state =
        access
            .states(wire)
            .at(thread.id(), ref, false)
            .orElseGet(() -> access.states(wire).latest(thread.id(), false));
    return state.path("checkpoint") instanceof ObjectNode object
        ? object
        : JsonNodeFactory.instance.objectNode();
  }

  private void checkIdle(Document thread) {
    boolean isBusy =
        service.documents().read(in -> !ThreadDocuments.active(in, thread.id()).isEmpty());
    if (isBusy) throw busy(thread);
  }

  private static HttpFailure busy(Document thread) {
    return new HttpFailure(
        409,
        "Thread "
            + thread.id()
            + " has a run. Wait for its end, or cancel it, before you edit its"
            + " state.");
  }

  /// With those of the program, such as its migrations.
  private RunOptions options(Document thread, GraphWire wire) {
    var options = RunOptions.thread(thread.id()).checkpoints(service.checkpointer()).journal();
    return wire.served().options().apply(options);
  }

  private void editOwn(Document thread, GraphWire wire, Edit edit) {
    var graph = wire.served().graph();
    if (edit.at().id().isPresent()) back(thread, wire, edit.at());
    var options = options(thread, wire);
    var node = edit.asNode().map(StateEdits::known);
    if (node.equals(Optional.of(Graph.END))) {
      if (!Fields.isNone(edit.values())) {
        var as = EditNode.of(wire, service.checkpointer(), thread.id());
        graph.update(options, StateUpdate.as(as, wire.update(edit.values())));
      }
      if (access.hasState(thread)) graph.update(options.discardPending());
      return;
    }
    var as = node.orElseGet(() -> EditNode.of(wire, service.checkpointer(), thread.id()));
    graph.update(options, StateUpdate.as(as, wire.update(edit.values())));
  }

  private static String known(String node) {
    return switch (node) {
      case "__start__", "__input__" -> Graph.START;
      case "__end__" -> Graph.END;
      default -> node;
    };
  }

  private ThreadStates.Place place(Document thread, GraphWire wire, CheckpointRef at) {
    return access
        .states(wire)
        .resolve(thread.id(), at)
        .orElseThrow(() ->
            new HttpFailure(404, "There is no such checkpoint on thread " + thread.id() + "."));
  }

  private void back(Document thread, GraphWire wire, CheckpointRef at) {
    var place = place(thread, wire, at);
    var graph = wire.served().graph();
    var newest = graph.state(options(thread, wire)).map(ThreadState::checkpoint);
    if (newest.equals(place.rewindTo())) return;
    var threads = access.threads(thread);
    if (place.rewindTo().isPresent()) threads.rewind(thread.id(), place.rewindTo().get());
    else threads.restart(thread.id());
  }

  private void editInside(Document thread, GraphWire wire, Edit edit) {
    var place = place(thread, wire, edit.at());
    var child =
        place
            .inside()
            .orElseThrow(() ->
                new HttpFailure(404, "Thread " + thread.id() + " has no graph inside there."));
    boolean isNewest =
        child.state().filter(state -> state.checkpoint().equals(place.checkpoint())).isPresent();
    var at = isNewest ? child : child.rewind(place.checkpoint());
    var as = edit.asNode().map(StateEdits::known).or(() -> lastInside(at)).orElse(Graph.START);
    at.update(StateUpdate.as(as, wire.atNamespace(edit.at().namespace()).update(edit.values())));
  }

  private static Optional<String> lastInside(dev.superstep.graph.SubgraphThread child) {
    for (var checkpoint : child.history(Optional.empty(), 50)) {
      var node = EditNode.of(checkpoint);
      if (node.isPresent()) return node;
    }
    return Optional.empty();
  }

  /// Makes known what an operation on a thread left of it that was made elsewhere, such as a fork.
  public void settle(String thread) {
    var known = access.find(thread);
    access.wire(known).ifPresent(wire -> settle(known, wire));
  }

  private void settle(Document thread, GraphWire wire) {
    var state = wire.served().graph().state(options(thread, wire));
    boolean hasWork = state.filter(at -> !at.next().isEmpty()).isPresent();
    var open = state.map(ThreadState::questions).orElse(List.of());
    runs.edited(thread.id(), wire.interrupts(open), hasWork);
  }

  /// Replays the supersteps with which a client makes a thread: the updates of one are made as one
  /// superstep.
  ///
  /// @throws HttpFailure 422 if they do not fit the graph
  void supersteps(Document thread, JsonNode steps) {
    var wire = access.graph(thread);
    if (!steps.isArray()) throw Fields.bad("supersteps", "must be a list");
    try {
      for (var step : steps) superstep(thread, wire, Fields.of(step).any("updates"));
    } catch (HttpFailure failure) {
      throw failure;
    } catch (SuperstepException | IllegalArgumentException e) {
      throw new HttpFailure(422, String.valueOf(e.getMessage()));
    }
    settle(thread, wire);
  }

  private void superstep(Document thread, GraphWire wire, JsonNode updates) {
    if (!updates.isArray() || updates.isEmpty()) {
      throw Fields.bad("supersteps.updates", "must be a list with at least one update");
    }
    var edits = new ArrayList<StateUpdate>();
    for (var update : updates) {
      var fields = Fields.of(update);
      var node = known(fields.required("as_node"));
      if (node.equals(Graph.END)) {
        wire.served().graph().update(options(thread, wire).discardPending());
        return;
      }
      edits.add(new StateUpdate(node, result(wire, fields)));
    }
    wire.served().graph().update(options(thread, wire), edits.toArray(StateUpdate[]::new));
  }

  private static NodeResult result(GraphWire wire, Fields fields) {
    var command = fields.objectIfAny("command");
    if (command.isEmpty()) return wire.update(fields.any("values"));
    var result = wire.command(command.get().path("goto"), command.get().path("update"));
    return switch (result) {
      case Command made -> made;
      case Update made -> made;
      default -> throw Fields.bad("supersteps.command", "must go to nodes or update channels");
    };
  }
}
