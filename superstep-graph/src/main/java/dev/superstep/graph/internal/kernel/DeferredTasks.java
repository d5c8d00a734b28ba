package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The tasks of deferred nodes, which are due when nothing else is: plain ones once each, in order
/// of declaration, then sent ones in sending order. A list made from another shares its content.
/// Immutable.
public final class DeferredTasks implements Iterable<PendingTask> {
  public static final DeferredTasks NONE = new DeferredTasks(Map.of(), null, false);

  // By the place of the node in the order of declaration.
  private final Map<Integer, PendingTask> plain;
  private final @Nullable Batch sent;
  private final boolean hasInheritedIds;

  /// The tasks sent in one superstep.
  private record Batch(@Nullable Batch before, List<PendingTask> added, int size) {}

  private DeferredTasks(Map<Integer, PendingTask> plain, @Nullable Batch sent, boolean keepsTasks) {
    this.plain = plain;
    this.sent = sent;
    this.hasInheritedIds = keepsTasks;
  }

  static DeferredTasks of(List<PendingTask> all) {
    return NONE.with(all);
  }

  /// These and more.
  DeferredTasks with(List<PendingTask> more) {
    if (more.isEmpty()) return this;
    var all = plain;
    boolean keeps = hasInheritedIds;
    var batch = new ArrayList<PendingTask>();
    for (var due : more) {
      keeps |= due.task() != null;
      int place = due.node().index();
      if (due.node().hasArgument()) batch.add(due);
      // A trigger may have more tokens now than when its task was deferred.
      else if (due.activation() instanceof Activation.Triggered || !all.containsKey(place)) {
        all = PersistentMap.with(all, place, due);
      }
    }
    if (batch.isEmpty()) return new DeferredTasks(all, sent, keeps);
    return new DeferredTasks(all, new Batch(sent, batch, sizeOf(sent) + batch.size()), keeps);
  }

  private static int sizeOf(@Nullable Batch batch) {
    return batch == null ? 0 : batch.size();
  }

  /// Returns whether one of the tasks has the id of a task that was due before in another
  /// checkpoint.
  boolean hasInheritedIds() {
    return hasInheritedIds;
  }

  boolean isEmpty() {
    return size() == 0;
  }

  int size() {
    return plain.size() + sizeOf(sent);
  }

  /// All of them, in task order.
  List<PendingTask> all() {
    if (isEmpty()) return List.of();
    var all = new ArrayList<PendingTask>(size());
    all.addAll(plain instanceof PersistentMap ? plain.values() : new TreeMap<>(plain).values());
    for (var batch : batches(null)) all.addAll(batch.added());
    return all;
  }

  @Override
  public Iterator<PendingTask> iterator() {
    return all().iterator();
  }

  /// The batches after one, the oldest first.
  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  private Iterable<Batch> batches(@Nullable Batch after) {
    var batches = new ArrayDeque<Batch>();
    for (var batch = sent; batch != null && batch != after; batch = batch.before()) {
      batches.push(batch);
    }
    return batches;
  }

  /// Calls back with each task that these have more than the earlier ones. Costs O(number of
  /// calls).
  ///
  /// @return false if they have not all that they had
  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  boolean additions(DeferredTasks before, Consumer<PendingTask> added) {
    if (before == this) return true;
    if (!extendsBatchesOf(before)) return false;
    var told = new Additions(added);
    PersistentMap.changes(before.plain, plain, told);
    if (told.isLess) return false;
    for (var batch : batches(before.sent)) batch.added().forEach(added);
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // what is shared is one object
  private boolean extendsBatchesOf(DeferredTasks before) {
    int size = sizeOf(before.sent);
    var batch = sent;
    while (sizeOf(batch) > size && batch != null) batch = batch.before();
    return batch == before.sent;
  }

  private static final class Additions implements PersistentMap.Changes<Integer, PendingTask> {
    private final Consumer<PendingTask> added;
    private boolean isLess;

    Additions(Consumer<PendingTask> added) {
      this.added = added;
    }

    @Override
    public void put(Integer place, @Nullable PendingTask before, PendingTask after) {
      added.accept(after);
    }

    @Override
    public void removed(Integer place, PendingTask before) {
      isLess = true;
    }
  }
}
