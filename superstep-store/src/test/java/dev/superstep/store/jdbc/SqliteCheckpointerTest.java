package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.testkit.FullCheckpointerSuite;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

final class SqliteCheckpointerTest implements FullCheckpointerSuite {
  @TempDir Path folder;

  @Override
  public Checkpointer fresh() {
    return SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  @Override
  public Optional<Checkpointer> reopened() {
    return Optional.of(fresh());
  }

  @Override
  public Optional<Checkpointer> another() {
    return Optional.of(fresh());
  }
}
