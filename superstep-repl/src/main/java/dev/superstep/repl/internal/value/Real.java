package dev.superstep.repl.internal.value;

/// A floating-point number of 64 bits.
public final class Real extends Value {
  final double value;

  public Real(double value) {
    this.value = value;
  }

  public double value() {
    return value;
  }

  @Override
  public String typeName() {
    return "float";
  }
}
