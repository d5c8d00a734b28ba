package dev.superstep.bench.measure;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// The PostgreSQL database that the parent process has made for this child.
public final class Database {
  /// The system property that holds its address.
  public static final String PROPERTY = "superstep.bench.postgres";

  private Database() {}

  /// Its address for a driver.
  public static String url() {
    var url = System.getProperty(PROPERTY);
    if (url == null) throw new IllegalStateException("no PostgreSQL was given to this process");
    return url;
  }

  /// A new connection, which the caller closes.
  public static Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /// How much it has on the disk, without the server's log.
  public static long bytes() throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("select pg_database_size(current_database())")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
