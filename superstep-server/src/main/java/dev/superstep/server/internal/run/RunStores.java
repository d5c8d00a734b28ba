package dev.superstep.server.internal.run;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.Store;
import java.util.Optional;

/// The stores of a service: of its threads, of everything else that it keeps, and the long-term
/// memory of its runs, if they have one.
public record RunStores(
    Checkpointer checkpointer, ServiceStore documents, Optional<Store> memory) {}
