package dev.superstep.repl.grant;

import dev.superstep.store.Namespace;
import dev.superstep.store.Store;

/// A namespace of a store that cells may read and write. Immutable.
public record GrantedStore(Store store, Namespace within) {}
