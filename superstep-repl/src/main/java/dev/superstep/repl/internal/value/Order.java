package dev.superstep.repl.internal.value;

/// `<`, `<=`, `>`, `>=` and sorting.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
public final class Order {
  private Order() {}

  /// Compares with an operator.
  ///
  /// @param op one of `<`, `<=`, `>`, `>=`
  public static boolean test(Meter m, String op, Value a, Value b) {
    if (a instanceof SetValue x && b instanceof SetValue y) return sets(m, op, x, y);
    if (Numbers.isNaN(a) || Numbers.isNaN(b)) {
      if (Numbers.isNumber(a) && Numbers.isNumber(b)) return false;
    }
    int c = compare(m, op, a, b);
    return switch (op) {
      case "<" -> c < 0;
      case "<=" -> c <= 0;
      case ">" -> c > 0;
      case ">=" -> c >= 0;
      default -> throw new IllegalArgumentException(op);
    };
  }

  private static boolean sets(Meter m, String op, SetValue a, SetValue b) {
    boolean isSmaller = a.table().size() < b.table().size();
    boolean isLarger = a.table().size() > b.table().size();
    return switch (op) {
      case "<" -> isSmaller && Equality.isSubset(m, a.table(), b.table());
      case "<=" -> Equality.isSubset(m, a.table(), b.table());
      case ">" -> isLarger && Equality.isSubset(m, b.table(), a.table());
      case ">=" -> Equality.isSubset(m, b.table(), a.table());
      default -> throw new IllegalArgumentException(op);
    };
  }

  private static int compare(Meter m, String op, Value a, Value b) {
    if (Numbers.isNumber(a) && Numbers.isNumber(b)) return Numbers.compare(a, b);
    if (a instanceof Str x && b instanceof Str y) return texts(m, x, y);
    if (a instanceof ListValue x && b instanceof ListValue y) {
      return items(m, op, new Part(x.items, x.size), new Part(y.items, y.size));
    }
    if (a instanceof TupleValue x && b instanceof TupleValue y) {
      return items(m, op, new Part(x.items, x.items.length), new Part(y.items, y.items.length));
    }
    throw Raise.type(
        "'"
            + op
            + "' not supported between instances of '"
            + a.typeName()
            + "' and '"
            + b.typeName()
            + "'");
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared or shown.
  private record Part(Value[] items, int size) {}

  private static int items(Meter m, String op, Part a, Part b) {
    m.enter(0);
    int both = Math.min(a.size, b.size);
    int result = Integer.compare(a.size, b.size);
    for (int i = 0; i < both; i++) {
      m.tick(1);
      if (Equality.same(m, a.items[i], b.items[i])) continue;
      // What is neither less nor more, such as NaN, must fail each operator.
      boolean isTrue = test(m, op, a.items[i], b.items[i]);
      boolean isLess = op.startsWith("<");
      result = isTrue == isLess ? -1 : 1;
      break;
    }
    m.leave(0);
    return result;
  }

  private static int texts(Meter m, Str a, Str b) {
    m.work(Math.min(a.chars(), b.chars()));
    var x = a.text(m);
    var y = b.text(m);
    if (a.length() == a.chars() && b.length() == b.chars()) return x.compareTo(y);
    int both = Math.min(x.length(), y.length());
    for (int i = 0; i < both; i++) {
      if (x.charAt(i) == y.charAt(i)) continue;
      return Integer.compare(rank(x.charAt(i)), rank(y.charAt(i)));
    }
    return Integer.compare(x.length(), y.length());
  }

  // Surrogates stand for code points above all others.
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  /// Returns whether one value goes before another.
  public static boolean less(Meter m, Value a, Value b) {
    if (a instanceof Int x && b instanceof Int y) return x.value < y.value;
    return test(m, "<", a, b);
  }

  /// Sorts by keys, stably; `items` goes along with `keys` if it is another array.
  public static void sort(Meter m, Value[] keys, Value[] items, boolean isReverse) {
    if (isReverse) {
      flip(keys);
      if (items != keys) flip(items);
    }
    m.charge(16L * keys.length);
    var places = new int[keys.length];
    for (int i = 0; i < places.length; i++) places[i] = i;
    new MergeSort(m, keys).sort(places, new int[places.length], 0, places.length);
    m.charge(16L * keys.length);
    var sorted = new Value[items.length];
    for (int i = 0; i < places.length; i++) sorted[i] = items[places[i]];
    System.arraycopy(sorted, 0, items, 0, sorted.length);
    if (isReverse) flip(items);
  }

  private static void flip(Value[] items) {
    for (int i = 0, j = items.length - 1; i < j; i++, j--) {
      var other = items[i];
      items[i] = items[j];
      items[j] = other;
    }
  }

  /// Compares with nothing but "goes before", so that also an order that contradicts itself ends.
  @SuppressWarnings("ArrayRecordComponent") // Never compared or shown.
  private record MergeSort(Meter m, Value[] keys) {
    private static final int SMALL = 8;

    void sort(int[] at, int[] spare, int from, int to) {
      if (to - from <= SMALL) {
        insert(at, from, to);
        return;
      }
      int middle = (from + to) >>> 1;
      sort(at, spare, from, middle);
      sort(at, spare, middle, to);
      m.tick(1 + ((to - from) >> 4));
      if (!less(m, keys[at[middle]], keys[at[middle - 1]])) return;
      System.arraycopy(at, from, spare, from, middle - from);
      int left = from;
      int right = middle;
      int out = from;
      while (left < middle && right < to) {
        boolean isRight = less(m, keys[at[right]], keys[spare[left]]);
        at[out++] = isRight ? at[right++] : spare[left++];
      }
      System.arraycopy(spare, left, at, out, middle - left);
    }

    private void insert(int[] at, int from, int to) {
      m.tick(1);
      for (int i = from + 1; i < to; i++) {
        int place = at[i];
        int j = i;
        for (; j > from && less(m, keys[place], keys[at[j - 1]]); j--) at[j] = at[j - 1];
        at[j] = place;
      }
    }
  }
}
