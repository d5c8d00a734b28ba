package dev.superstep.language.check;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/// Sources that Jazzer makes, led by the branches that they reach in lexer, parser and checks. The
/// gate runs those that are stored; the long form looks for new ones, for ten minutes.
@Tag("R7")
@Tag("R42")
class CoverageFuzzTest {
  @FuzzTest(maxDuration = "10m")
  void any_text_is_findings_or_blueprints(FuzzedDataProvider data) {
    HostileSources.survives(data.consumeRemainingAsString());
  }
}
