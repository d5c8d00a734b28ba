package dev.superstep.cli.serve;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.CannotDecrypt;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.view.ThreadLocation;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.DocumentQuery;
import dev.superstep.service.EncryptedServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.store.jdbc.SqliteStore;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The stores of a server in one database. Closing it closes them.
///
/// @param shown where they are, without a password
record ServerStores(
    Checkpointer checkpointer,
    ServiceStore documents,
    Store memory,
    AutoCloseable pool,
    String shown)
    implements AutoCloseable {
  private static final String SQLITE = "sqlite:";
  private static final String POSTGRES = "postgresql://";
  private static final int CONNECTIONS_MAX = 16;

  /// A server has assistants from its first start on.
  private static final DocumentQuery ANY_ASSISTANT =
      DocumentQuery.of(DocumentKind.ASSISTANT).limit(1);

  /// Opens the stores that a URL names: `sqlite:PATH` or `postgresql://USER:PASSWORD@HOST/NAME`.
  ///
  /// @param isNamed whether the user named one; else it is the file of `superstep run`
  /// @throws UsageError if there is no such kind, or it cannot be opened
  static ServerStores open(Host host, String url, boolean isNamed) {
    if (!isNamed) {
      return sqlite(ThreadLocation.of(host, "", Optional.empty()).store());
    }
    if (url.startsWith(SQLITE)) return sqlite(host.path(url.substring(SQLITE.length())));
    if (url.startsWith(POSTGRES)) return postgres(url);
    throw new UsageError(
        "serve.store",
        "The store must be `sqlite:PATH` or `postgresql://USER:PASSWORD@HOST:PORT/NAME`.");
  }

  private static ServerStores sqlite(Path file) {
    var folder = file.getParent();
    try {
      if (folder != null) Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UsageError("serve.store", "The folder " + folder + " cannot be made.", e);
    }
    return new ServerStores(
        SqliteCheckpointer.open(file),
        SqliteServiceStore.open(file),
        SqliteStore.open(file),
        () -> {},
        SQLITE + file);
  }

  private static ServerStores postgres(String url) {
    var config = new HikariConfig();
    var place = uri(url);
    config.setJdbcUrl(
        "jdbc:postgresql://"
            + place.getRawAuthority().replaceFirst("^.*@", "")
            + place.getRawPath()
            + (place.getRawQuery() == null ? "" : "?" + place.getRawQuery()));
    var user = place.getUserInfo();
    if (user != null) {
      int colon = user.indexOf(':');
      config.setUsername(colon < 0 ? user : user.substring(0, colon));
      if (colon >= 0) config.setPassword(user.substring(colon + 1));
    }
    config.setMaximumPoolSize(CONNECTIONS_MAX);
    config.setPoolName("superstep-serve");
    var pool = new HikariDataSource(config);
    try {
      PostgresCheckpointer.migrate(pool);
      var shown = POSTGRES + place.getRawAuthority().replaceFirst("^.*@", "") + place.getRawPath();
      return new ServerStores(
          PostgresCheckpointer.on(pool),
          PostgresServiceStore.on(pool),
          PostgresStore.on(pool),
          pool,
          shown);
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }

  /// The same stores, with what goes to them sealed by these keys.
  ///
  /// @throws UsageError if they hold what was written without these keys
  ServerStores sealed(KeyRing ring) {
    var documents = EncryptedServiceStore.over(this.documents, ring);
    try {
      var _ = documents.<Integer>read(in -> in.search(ANY_ASSISTANT).size());
    } catch (CannotDecrypt plain) {
      throw new UsageError(
          "serve.encryption",
          "%s holds what was written without these keys. Name the keys that it was written with, or a new store by --store."
              .formatted(shown),
          plain);
    }
    return new ServerStores(
        EncryptedCheckpointer.over(checkpointer, ring),
        documents,
        memory,
        pool,
        shown + ", encrypted with key " + ring.current());
  }

  /// Refuses stores whose content only keys can read.
  ///
  /// @throws UsageError if they are encrypted
  void checkPlain() {
    var known = documents.<List<Document>>read(in -> in.search(ANY_ASSISTANT));
    boolean isSealed = known.stream().anyMatch(each -> EncryptedServiceStore.isSealed(each.body()));
    if (!isSealed) return;
    throw new UsageError(
        "serve.encryption",
        shown + " is encrypted. Name its keys by --encryption-keys, or a new store by --store.");
  }

  /// The message of the exception would have the password.
  private static URI uri(String url) {
    try {
      var uri = new URI(url);
      if (uri.getRawAuthority() != null && uri.getRawPath().length() > 1) return uri;
    } catch (URISyntaxException _) {
      // Said below.
    }
    throw new UsageError(
        "serve.store",
        "The URL of the store is malformed; write postgresql://USER:PASSWORD@HOST:PORT/NAME.");
  }

  @Override
  public void close() {
    try {
      memory.close();
    } finally {
      try {
        documents.close();
      } finally {
        checkpointer.close();
        closePool();
      }
    }
  }

  private void closePool() {
    try {
      pool.close();
    } catch (Exception failed) {
      throw new IllegalStateException("the connections do not close", failed);
    }
  }
}
