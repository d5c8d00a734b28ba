package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// Keeps threads in one SQLite file, which several processes of one machine may use at once.
///
/// What a method returned for is in the file; see [Durability] for what that survives. A checkpoint
/// costs what it changed: values that did not change, and the items that a list keeps, are not
/// written again. Calls that come in at the same time share a transaction. Safe for many threads,
/// virtual ones included. A call that has begun ends even if its thread is interrupted.
///
/// Every method throws [StoreFailed] if the file cannot be used, holds something that this program
/// did not write, or was closed.
public final class SqliteCheckpointer implements Checkpointer {
  private final Path file;
  private final Lanes lanes;

  private SqliteCheckpointer(Path file, Lanes lanes) {
    this.file = file;
    this.lanes = lanes;
  }

  /// What saved state survives.
  public enum Durability {
    /// A crash or kill of the process. Not always a power loss or a crash of the operating system:
    /// the file stays intact, but the last transactions may be missing.
    PROCESS_CRASH,
    /// A power loss, too. Each transaction waits for the disk.
    POWER_LOSS
  }

  /// Opens a store that survives a [Durability#PROCESS_CRASH].
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static SqliteCheckpointer open(Path file) {
    return open(file, Durability.PROCESS_CRASH);
  }

  /// Opens a store.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static SqliteCheckpointer open(Path file, Durability durability) {
    var sqlite = new SqliteFile(file, durability);
    try {
      sqlite.create();
      return new SqliteCheckpointer(file, Lanes.open(sqlite));
    } catch (IOException e) {
      throw SqliteErrors.notMade(file, e);
    } catch (SQLException e) {
      throw SqliteErrors.failed(file, e);
    } catch (Unreadable e) {
      throw SqliteErrors.failed(file, e);
    }
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return read(sql -> CheckpointRows.latest(sql, lineage));
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return read(sql -> CheckpointRows.byId(sql, lineage, id));
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return read(sql -> CheckpointRows.page(sql, lineage, before, limit));
  }

  @Override
  public boolean commit(Commit commit) {
    return write(sql -> CheckpointRows.commit(sql, commit));
  }

  @Override
  public TaskRecord saveTask(Lineage lineage, String checkpoint, TaskRecord task) {
    return write(sql -> TaskRows.save(sql, lineage, checkpoint, task));
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return read(sql -> TaskRows.all(sql, lineage, checkpoint));
  }

  @Override
  public StepRecord saveStep(Lineage lineage, String checkpoint, StepRecord step) {
    return write(sql -> StepRows.save(sql, lineage, checkpoint, step));
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return read(sql -> StepRows.all(sql, lineage, checkpoint));
  }

  @Override
  public boolean answer(Lineage lineage, String checkpoint, Answer answer) {
    return write(sql -> TaskRows.answer(sql, lineage, checkpoint, answer));
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return read(sql -> TaskRows.answers(sql, lineage, checkpoint));
  }

  @Override
  public void close() {
    try {
      lanes.close();
    } catch (SQLException e) {
      throw SqliteErrors.failed(file, e);
    }
  }

  <T> T write(Operation<T> operation) {
    return explained(() -> lanes.write(operation));
  }

  private <T> T read(Operation<T> operation) {
    return explained(() -> lanes.read(operation));
  }

  private interface Call<T> {
    T run() throws SQLException;
  }

  private <T> T explained(Call<T> call) {
    try {
      return call.run();
    } catch (SQLException e) {
      throw SqliteErrors.failed(file, e);
    } catch (Unreadable e) {
      throw SqliteErrors.failed(file, e);
    } catch (StoreClosed e) {
      throw SqliteErrors.failed(file, e);
    }
  }
}
