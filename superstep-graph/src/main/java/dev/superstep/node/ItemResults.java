package dev.superstep.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// The results of the items of a [dev.superstep.graph.Parallel], in the order of the items.
/// Immutable.
///
/// @param all one for each item
public record ItemResults<T>(List<ItemResult<T>> all) {
  /// Copies the list.
  public ItemResults {
    all = List.copyOf(all);
  }

  /// The values of the items that were done, in the order of the items.
  public List<T> succeeded() {
    var values = new ArrayList<T>();
    for (var result : all) if (result instanceof ItemResult.Succeeded<T>(var v)) values.add(v);
    return List.copyOf(values);
  }

  /// Why items failed, in the order of the items.
  public List<Throwable> errors() {
    var errors = new ArrayList<Throwable>();
    for (var result : all) if (result instanceof ItemResult.Failed<T>(var e)) errors.add(e);
    return List.copyOf(errors);
  }

  /// Folds the values of the items that were done, in the order of the items.
  public <A> A reduce(A start, BiFunction<A, ? super T, A> step) {
    var sum = start;
    for (var value : succeeded()) sum = step.apply(sum, value);
    return sum;
  }
}
