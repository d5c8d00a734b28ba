package dev.superstep.repl.internal.value;

import java.util.Arrays;

/// A list. Grows; each place counts as memory.
public final class ListValue extends Value {
  private static final Value[] NOTHING = new Value[0];

  Value[] items;
  int size;

  public ListValue() {
    items = NOTHING;
  }

  /// A list over an array that is counted already, which it keeps.
  public ListValue(Meter m, Value[] items) {
    m.charge(40);
    this.items = items;
    this.size = items.length;
  }

  /// A list of nothing, with room.
  public static ListValue sized(Meter m, int capacity) {
    m.charge(40);
    var list = new ListValue();
    if (capacity > 0) list.room(m, capacity);
    return list;
  }

  public int size() {
    return size;
  }

  public Value get(int index) {
    return items[index];
  }

  public void set(int index, Value value) {
    items[index] = value;
  }

  public void add(Meter m, Value value) {
    if (size == items.length) room(m, size + 1);
    items[size++] = value;
  }

  /// Makes room for so many items in all.
  public void room(Meter m, long most) {
    if (most <= items.length) return;
    long capacity = Math.max(most, items.length + (items.length >> 1) + 4L);
    m.charge(PLACE * (capacity - items.length) + 8L * items.length);
    if (capacity > Integer.MAX_VALUE / 8) throw m.halt(Halt.Cause.MEMORY, "a list is too long");
    m.work(size);
    items = Arrays.copyOf(items, (int) capacity);
  }

  /// Puts other items in the place of some.
  public void replace(Meter m, int from, int to, Value[] with) {
    int more = with.length - (to - from);
    room(m, (long) size + more);
    m.work((long) size - to + with.length);
    System.arraycopy(items, to, items, to + more, size - to);
    System.arraycopy(with, 0, items, from, with.length);
    int before = size;
    size += more;
    if (size < before) Arrays.fill(items, size, before, null);
    shrink();
  }

  /// Takes an item out.
  public Value remove(Meter m, int index) {
    var gone = items[index];
    m.work(size - index);
    System.arraycopy(items, index + 1, items, index, size - index - 1);
    size--;
    Arrays.fill(items, size, size + 1, null);
    shrink();
    return gone;
  }

  private void shrink() {
    if (items.length > 64 && size < items.length / 4) items = Arrays.copyOf(items, size * 2);
  }

  public void clear() {
    items = NOTHING;
    size = 0;
  }

  /// A copy of a part.
  public Value[] copy(Meter m, int from, int to) {
    m.charge((long) COPIED * (to - from));
    m.work(to - from);
    return Arrays.copyOfRange(items, from, to);
  }

  /// A copy of all items.
  public Value[] copy(Meter m) {
    return copy(m, 0, size);
  }

  /// Takes an array as its items, such as the sorted ones.
  public void become(Value[] all) {
    items = all;
    size = all.length;
  }

  @Override
  public String typeName() {
    return "list";
  }
}
