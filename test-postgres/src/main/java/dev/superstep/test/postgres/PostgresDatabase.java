package dev.superstep.test.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/// An empty database of its own in a [PostgresServer]. The address stays the same when the server
/// is restarted. Immutable.
public record PostgresDatabase(String name, int port) {
  /// The one user, who needs no password: the server listens on this machine only.
  public static final String USER = "postgres";

  private static final int CONNECT_SECONDS_MAX = 30;

  /// The address for a driver or a pool, with the user in it.
  public String url() {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=%s".formatted(port, name, USER);
  }

  /// Makes a new connection at each call, without a pool.
  public DataSource dataSource() {
    var source = new PGSimpleDataSource();
    source.setUrl(url());
    source.setConnectTimeout(CONNECT_SECONDS_MAX);
    return source;
  }

  /// A new connection, which the caller closes.
  public Connection connect() throws SQLException {
    return dataSource().getConnection();
  }

  /// Ends every connection to this database from the side of the server, as an administrator or a
  /// failover does. Clients learn of it at their next use.
  ///
  /// @return how many were ended
  public int killConnections() throws SQLException {
    try (var connection = new PostgresDatabase("postgres", port).connect();
        var kill =
            connection.prepareStatement(
                "select count(*) from (select pg_terminate_backend(pid) as ended"
                    + " from pg_stat_activity where datname = ?) as killed where ended")) {
      kill.setString(1, name);
      try (var killed = kill.executeQuery()) {
        killed.next();
        return killed.getInt(1);
      }
    }
  }
}
