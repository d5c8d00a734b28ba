package dev.superstep.repl.agent;

import dev.superstep.store.Namespace;
import dev.superstep.store.Store;

/// A namespace of a store that cells may read and write. Immutable.
record GrantedStore(Store store, Namespace within) {}
