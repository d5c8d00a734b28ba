package dev.superstep.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps what has come, and shows it once there is enough.
record Gather<T>(int enough) implements Reducer<List<T>, T> {
  @Override
  public @Nullable List<T> initial() {
    return null;
  }

  @Override
  public boolean isConsumed() {
    return true;
  }

  @Override
  public boolean isReadDerived() {
    return true;
  }

  @Override
  public @Nullable List<T> read(List<T> kept) {
    return kept.size() >= enough ? kept : null;
  }

  @Override
  public List<String> missing(List<T> kept) {
    return kept.size() >= enough ? List.of() : List.of(enough - kept.size() + " more");
  }

  @Override
  public List<T> adopt(List<T> value) {
    return AppendList.<T>empty().plus(value);
  }

  @Override
  public Folded<List<T>> fold(@Nullable List<T> current, List<T> writes) {
    var before = AppendList.of(current);
    return new Folded<>(before.plus(writes), !writes.isEmpty(), before.size());
  }
}
