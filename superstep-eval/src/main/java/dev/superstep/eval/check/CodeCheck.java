package dev.superstep.eval.check;

import java.util.function.Function;

/// A check that is a function.
record CodeCheck(String name, String version, Function<Checked, Verdict> code) implements Check {
  CodeCheck {
    if (name.isBlank()) throw new IllegalArgumentException("name must not be blank");
  }

  @Override
  public Verdict check(Checked trial) {
    return code.apply(trial);
  }
}
