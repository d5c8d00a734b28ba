package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadRemoval;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memory;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.internal.persistence.SubgraphStores;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The store of threads, and those in which graphs inside keep the memories of these threads.
///
/// @param graphs those that know the other stores
record ThreadStores(Checkpointer own, List<Graph> graphs) {
  static final int PAGE = 100;

  private static final Duration LEASE = Duration.ofMinutes(1);

  /// A thread is there if it has a checkpoint.
  Optional<Checkpoint> newest(String thread) {
    return own.page(Lineage.of(thread), Optional.empty(), 1).stream().findFirst();
  }

  /// The other stores of subgraphs, by the paths of the subgraphs.
  ///
  /// @throws ThreadError if one of them is not known
  Map<String, Checkpointer> reached(String thread, Checkpoint at) {
    var needed = at.progress().memories().elsewhere();
    if (needed.isEmpty()) return Map.of();
    for (var graph : graphs) {
      if (!graph.name().equals(at.graph())) continue;
      var stores = SubgraphStores.of(graph.compiled(), own);
      if (stores.keySet().containsAll(needed)) return stores;
    }
    throw new ThreadError(
        thread,
        ThreadError.Reason.ELSEWHERE,
        ("has graphs inside that are kept in other stores: %s. Nothing was changed. Name"
                + " graph `%s`, which knows these stores, by `Threads.in(store).reaching(graph)`.")
            .formatted(needed, at.graph()));
  }

  /// The other stores that keep memories of a thread.
  ///
  /// @throws ThreadError if one of them is not known
  List<Checkpointer> elsewhere(String thread, Checkpoint at) {
    return stores(reached(thread, at));
  }

  /// All stores that the graphs know.
  List<Checkpointer> others() {
    return graphs.stream()
        .flatMap(g -> stores(SubgraphStores.of(g.compiled(), own)).stream())
        .distinct()
        .toList();
  }

  private static List<Checkpointer> stores(Map<String, Checkpointer> byPath) {
    var stores = Collections.<Checkpointer>newSetFromMap(new IdentityHashMap<>());
    stores.addAll(byPath.values());
    return List.copyOf(stores);
  }

  /// Does something while a thread is held.
  static <T> T in(Checkpointer store, String thread, Function<Lease, T> work) {
    var lease = acquire(store, thread);
    try {
      return work.apply(lease);
    } finally {
      store.release(lease);
    }
  }

  static Lease acquire(Checkpointer store, String thread) {
    return store.acquire(thread, "process " + ProcessHandle.current().pid(), LEASE);
  }

  /// Returns the memories in one store that checkpoints in the other stores refer to.
  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  Set<Memory> needed(List<Checkpointer> elsewhere, Checkpointer in, String thread) {
    if (elsewhere.isEmpty()) return Set.of();
    var needed = new HashSet<Memory>();
    var stores = new ArrayList<>(elsewhere);
    stores.add(own);
    for (var other : stores) if (other != in) named(other, Lineage.of(thread), needed);
    // Those in between are in stores of their own.
    var open = new ArrayDeque<>(needed);
    while (!open.isEmpty()) {
      var memory = open.remove();
      var lineage = new Lineage(thread, memory.namespace());
      for (var other : stores) {
        other
            .byId(lineage, memory.checkpoint())
            .ifPresent(saved -> {
              for (var below : saved.checkpoint().progress().memories().left().values()) {
                if (needed.add(below)) open.add(below);
              }
            });
      }
    }
    return needed;
  }

  private static void named(Checkpointer store, Lineage lineage, Set<Memory> named) {
    var before = Optional.<String>empty();
    while (true) {
      var page = store.page(lineage, before, PAGE);
      if (page.isEmpty()) return;
      for (var at : page) named.addAll(at.progress().memories().left().values());
      before = Optional.of(page.getLast().id());
    }
  }

  static void delete(Checkpointer store, String thread) {
    var removal = removal(store);
    var lease = acquire(store, thread);
    try {
      removal.delete(lease);
    } catch (RuntimeException | Error e) {
      store.release(lease);
      throw e;
    }
  }

  static ThreadForks forks(Checkpointer store) {
    return CheckpointerCapability.required(store, ThreadForks.class, "Forking or copying a thread");
  }

  static ThreadRemoval removal(Checkpointer store) {
    return CheckpointerCapability.required(store, ThreadRemoval.class, "Deleting what is stored");
  }

  static ThreadError lost(String thread, String path) {
    return new ThreadError(
        thread,
        ThreadError.Reason.MEMORY_LOST,
        "goes on from what the graph inside `"
            + path
            + "` left, and its store does not have that any more. Restore that store.");
  }

  static ThreadError unknown(String thread, String what) {
    return new ThreadError(thread, ThreadError.Reason.UNKNOWN, what);
  }

  static ThreadError taken(String thread) {
    return new ThreadError(
        thread, ThreadError.Reason.TAKEN, "is there already. Choose another name.");
  }
}
