package dev.superstep.bench.peer;

import dev.superstep.bench.measure.Folder;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.std.ObjectStreamStateSerializer;
import org.bsc.langgraph4j.state.AgentState;

/// A saver for SQLite on the published interface and serializer: a row with the whole state for
/// each checkpoint, one connection, prepared statements. That is the best case for the way in which
/// this peer saves.
final class SqliteSaver implements BaseCheckpointSaver, AutoCloseable {
  private final ObjectStreamStateSerializer<AgentState> states =
      new ObjectStreamStateSerializer<>(AgentState::new);
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement update;
  private final PreparedStatement last;

  private SqliteSaver(Connection connection) throws Exception {
    this.connection = connection;
    insert =
        connection.prepareStatement(
            "insert into checkpoint(thread, id, node, next, state) values(?, ?, ?, ?, ?)");
    update =
        connection.prepareStatement(
            "update checkpoint set id = ?, node = ?, next = ?, state = ?"
                + " where thread = ? and id = ?");
    last =
        connection.prepareStatement(
            "select id, node, next, state from checkpoint where thread = ?"
                + " order by place desc limit 1");
  }

  static SqliteSaver open(Folder folder) throws Exception {
    var connection = DriverManager.getConnection("jdbc:sqlite:" + folder.file("langgraph4j.db"));
    try (var statement = connection.createStatement()) {
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = normal");
      statement.execute(
          "create table checkpoint(place integer primary key, thread text not null,"
              + " id text not null, node text, next text, state blob)");
      statement.execute("create index checkpoint_thread on checkpoint(thread, place)");
    }
    return new SqliteSaver(connection);
  }

  @Override
  public synchronized Collection<Checkpoint> list(RunnableConfig config) {
    return List.of();
  }

  @Override
  public synchronized Optional<Checkpoint> get(RunnableConfig config) {
    try {
      last.setString(1, threadId(config));
      try (var rows = last.executeQuery()) {
        if (!rows.next()) return Optional.empty();
        return Optional.of(
            Checkpoint.builder()
                .id(rows.getString(1))
                .nodeId(rows.getString(2))
                .nextNodeId(rows.getString(3))
                .state(states.dataFromBytes(rows.getBytes(4)))
                .build());
      }
    } catch (Exception e) {
      throw new IllegalStateException("the checkpoint cannot be read", e);
    }
  }

  @Override
  public synchronized RunnableConfig put(RunnableConfig config, Checkpoint made)
      throws Exception {
    byte[] state = states.dataToBytes(made.getState());
    var replaced = config.checkPointId();
    if (replaced.isPresent()) {
      update.setString(1, made.getId());
      update.setString(2, made.getNodeId());
      update.setString(3, made.getNextNodeId());
      update.setBytes(4, state);
      update.setString(5, threadId(config));
      update.setString(6, replaced.get());
      update.executeUpdate();
      return config;
    }
    insert.setString(1, threadId(config));
    insert.setString(2, made.getId());
    insert.setString(3, made.getNodeId());
    insert.setString(4, made.getNextNodeId());
    insert.setBytes(5, state);
    insert.executeUpdate();
    return RunnableConfig.builder(config).checkPointId(made.getId()).build();
  }

  @Override
  public Tag release(RunnableConfig config) {
    return new Tag(threadId(config), List.of());
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
