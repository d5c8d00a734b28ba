package dev.superstep.testkit.junit;

import dev.superstep.json.SuperstepException;

/// A tool was called in a way that its cassette does not know.
public final class CassetteMiss extends SuperstepException {
  CassetteMiss(String message) {
    super("testkit.cassette-miss", message);
  }
}
