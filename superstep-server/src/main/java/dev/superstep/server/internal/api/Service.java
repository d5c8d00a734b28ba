package dev.superstep.server.internal.api;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.internal.http.Guard;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.Store;
import java.util.Map;
import java.util.Optional;

/// The parts that the resources of a server share. Immutable.
///
/// @param memory the long-term memory, if there is one
/// @param graphs by their ids, in the order in which they were given
public record Service(
    Checkpointer checkpointer,
    ServiceStore documents,
    Optional<Store> memory,
    Map<String, ServedGraph> graphs,
    ServerOptions options,
    Guard guard) {}
