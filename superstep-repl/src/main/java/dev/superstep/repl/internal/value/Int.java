package dev.superstep.repl.internal.value;

import java.math.BigInteger;

/// A whole number of 64 bits; larger ones are [BigInt].
public final class Int extends Value {
  private static final int LEAST = -128;
  private static final int MOST = 1_023;
  private static final Int[] SMALL = small();
  public static final Int ZERO = of(0);
  public static final Int ONE = of(1);

  private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  final long value;

  private Int(long value) {
    this.value = value;
  }

  private static Int[] small() {
    var all = new Int[MOST - LEAST + 1];
    for (int i = 0; i < all.length; i++) all[i] = new Int(i + LEAST);
    return all;
  }

  public static Int of(long value) {
    if (value >= LEAST && value <= MOST) return SMALL[(int) value - LEAST];
    return new Int(value);
  }

  /// The number, in the smaller form if it fits.
  ///
  /// @throws Raise if it has more than 4,096 bits
  public static Value of(BigInteger value) {
    if (value.compareTo(MIN) >= 0 && value.compareTo(MAX) <= 0) return of(value.longValue());
    if (value.bitLength() > BigInt.BITS_MAX) throw BigInt.tooLarge();
    return new BigInt(value);
  }

  public long value() {
    return value;
  }

  @Override
  public String typeName() {
    return "int";
  }
}
