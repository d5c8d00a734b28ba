package dev.superstep.repl.internal.value;

import org.jspecify.annotations.Nullable;

/// The place of a variable that several functions share, or of one of the session. No script holds
/// one as a value.
public final class CellValue extends Value {
  public @Nullable Value value;

  private final String name;

  public CellValue(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  @Override
  public String typeName() {
    return "cell";
  }
}
