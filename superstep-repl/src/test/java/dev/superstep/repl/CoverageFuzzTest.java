package dev.superstep.repl;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/// Cells that Jazzer makes, led by the branches that they reach in lexer, parser and interpreter.
/// The gate runs those that are stored; the long form looks for new ones, for ten minutes.
class CoverageFuzzTest {
  @FuzzTest(maxDuration = "10m")
  void any_text_ends_as_a_result(FuzzedDataProvider data) {
    HostileCells.survives(data.consumeRemainingAsString());
  }
}
