package dev.superstep.store.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.budget.Budget;
import dev.superstep.budget.BudgetExceeded;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.middleware.Retrying;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A budget outlives the process that spends it: every run here opens the file anew.
@Tag("T53")
final class BudgetOnSqliteTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"SYNC, false", "ASYNC, false", "EXIT, false", "SYNC, true", "ASYNC, true"})
  void failed_attempts_count_over_resumptions(Durability durability, boolean isEncrypted)
      throws Exception {
    var asked = new AtomicInteger();
    var model =
        ScriptedModel.by(_ -> {
          asked.incrementAndGet();
          throw new ModelException(ModelException.Kind.TIMEOUT, "It took too long.");
        });
    var agent =
        Agent.named("a")
            .model(model)
            .middleware(Retrying.times(1))
            .budget(Budget.unlimited().calls(5))
            .build();
    for (int i = 0; i < 20; i++) {
      try (var store = open(isEncrypted)) {
        var options = RunOptions.thread("t").checkpoints(store).durability(durability);
        boolean begins = i == 0;
        assertThatThrownBy(
                () -> {
                  if (begins) agent.run("Go.", options);
                  else agent.resume(Answers.none(), options);
                })
            .isInstanceOf(i < 5 ? ModelException.class : BudgetExceeded.class)
            .isInstanceOf(SuperstepException.class);
      }
    }
    assertThat(asked.get()).isEqualTo(5);
  }

  private Checkpointer open(boolean isEncrypted) {
    var file = SqliteCheckpointer.open(folder.resolve("threads.db"));
    return isEncrypted ? EncryptedCheckpointer.over(file, KeyRing.of("k1", new byte[32])) : file;
  }
}
