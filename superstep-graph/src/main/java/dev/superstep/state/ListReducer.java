package dev.superstep.state;

import java.util.List;

/// A reducer whose value is a list that begins empty and that grows without being copied.
interface ListReducer<T> extends Reducer<List<T>, T> {
  @Override
  default List<T> initial() {
    return AppendList.empty();
  }

  @Override
  default List<T> adopt(List<T> value) {
    return AppendList.<T>empty().plus(value);
  }
}
