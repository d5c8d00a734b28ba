package dev.superstep.repl.internal.value;

import java.math.BigInteger;

/// A whole number that does not fit in 64 bits, of at most 4,096 bits.
public final class BigInt extends Value {
  public static final int BITS_MAX = 4_096;

  private final BigInteger value;

  BigInt(BigInteger value) {
    this.value = value;
  }

  static Raise tooLarge() {
    return Raise.overflow("integers have at most " + BITS_MAX + " bits here");
  }

  public BigInteger value() {
    return value;
  }

  @Override
  public String typeName() {
    return "int";
  }
}
