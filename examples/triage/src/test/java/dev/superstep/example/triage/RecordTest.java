package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.ModelRef;
import dev.superstep.model.RecordingModel;
import dev.superstep.model.local.LocalModels;
import dev.superstep.run.Outcome.Interrupted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Makes the recording anew, by hand, with the weights that `superstep models pull gemma3-270m`
/// fetches. In the root of the sources:
///
/// ```
/// mvn -Ddev -pl examples/triage -am test -Dtest=RecordTest -Dsuperstep.record=true \
///   -Dsurefire.failIfNoSpecifiedTests=false
/// mvn -Ddev -pl examples/triage -am test -Dtest=RecordedRunTest -Dsuperstep.golden=write \
///   -Dsurefire.failIfNoSpecifiedTests=false
/// ```
@EnabledIfSystemProperty(named = "superstep.record", matches = "true")
class RecordTest {
  @TempDir Path folder;

  @Test
  @Tag("W31")
  void the_recorded_requests_are_those_of_the_program() throws Exception {
    Files.createDirectories(RecordedRunTest.RECORDING.getParent());
    Files.deleteIfExists(RecordedRunTest.RECORDING);
    try (var local = LocalModels.inDefaultCache().open(ModelRef.parse("local://gemma3-270m"));
        var model =
            RecordingModel.open(
                RecordedRunTest.RECORDING,
                local,
                "What the model said to examples/triage/inbox; made by RecordTest.",
                InstantSource.system())) {
      assertThat(Desk.with(model, folder).start(Desk.INBOX)).isInstanceOf(Interrupted.class);
    }
  }
}
