package dev.superstep.terminal.risk;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/// Texts that Jazzer makes, led by the branches that they reach in the parser and in the rules. The
/// gate runs those that are stored; the long form looks for new ones, for ten minutes.
@Tag("C17")
class CoverageShellFuzzTest {
  @FuzzTest(maxDuration = "10m")
  void any_text_is_judged(FuzzedDataProvider data) {
    ShellFuzzTest.survives(data.consumeRemainingAsString());
  }
}
