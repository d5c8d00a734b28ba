package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.server.AgentServer;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The published clients of LangGraph, for TypeScript and for Python, against a server on each
/// database. The cases are in `src/test/sdk`.
@Timeout(600)
@Tag("H4.1")
@Tag("H4.2")
@Tag("H4.3")
@Tag("H4.4")
@Tag("H4.5")
@Tag("H4.6")
@Tag("H4.7")
@Tag("H4.9")
@Tag("H4.10")
class ClientsTest {
  private static final int TYPESCRIPT_CASES = 100;
  private static final int PYTHON_CASES = 24;

  @TempDir Path folder;

  /// Work with a server.
  private interface Work {
    void on(String url) throws Exception;
  }

  private void withSqlite(Work work) throws Exception {
    var file = folder.resolve("threads.db");
    try (var checkpoints = SqliteCheckpointer.open(file);
        var documents = SqliteServiceStore.open(file);
        var memory = SqliteStore.open(file);
        var server =
            AgentServer.on(checkpoints, documents)
                .memory(memory)
                .serving(FixtureGraphs.all())
                .start(0)) {
      work.on(server.address().toString());
    }
  }

  private void withServlet(Work work) throws Exception {
    var file = folder.resolve("threads.db");
    try (var checkpoints = SqliteCheckpointer.open(file);
        var documents = SqliteServiceStore.open(file);
        var memory = SqliteStore.open(file);
        var container =
            ServletContainer.start(
                AgentServer.on(checkpoints, documents)
                    .memory(memory)
                    .options(ServerOptions.defaults().withOpen(true))
                    .serving(FixtureGraphs.all()))) {
      work.on(container.url());
    }
  }

  private static void withPostgres(Work work) throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var pool = Pools.of(database);
        var checkpoints = PostgresCheckpointer.on(pool);
        var documents = PostgresServiceStore.on(pool);
        var memory = PostgresStore.on(pool);
        var server =
            AgentServer.on(checkpoints, documents)
                .memory(memory)
                .serving(FixtureGraphs.all())
                .start(0)) {
      work.on(server.address().toString());
    }
  }

  private static void typescript(String url) throws Exception {
    var suite = ClientTools.node();
    assumeTrue(suite.isPresent(), "Node with npm and its registry are not to be had here");
    var command = List.of("node", "--test", "--test-reporter=tap", "--test-timeout=120000");
    var ended = ClientTools.run(suite.get(), command, url).orElseThrow();
    assertThat(ended.status()).as(ended.output()).isZero();
    var passed = ended.output().lines().filter(line -> line.startsWith("# pass ")).findFirst();
    assertThat(Integer.parseInt(passed.orElseThrow().substring(7)))
        .isGreaterThanOrEqualTo(TYPESCRIPT_CASES);
  }

  private static void python(String url) throws Exception {
    var suite = ClientTools.python();
    assumeTrue(suite.isPresent(), "Python with venv and its registry are not to be had here");
    var command = List.of("venv/bin/python", "-W", "ignore", "-m", "unittest", "test_sdk");
    var ended = ClientTools.run(suite.get(), command, url).orElseThrow();
    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).contains("Ran " + PYTHON_CASES + " tests");
  }

  @Test
  void the_client_for_typescript_works_on_sqlite() throws Exception {
    withSqlite(ClientsTest::typescript);
  }

  @Test
  void the_client_for_typescript_works_on_postgresql() throws Exception {
    withPostgres(ClientsTest::typescript);
  }

  @Test
  void the_client_for_typescript_works_below_a_path_of_a_servlet_container() throws Exception {
    withServlet(ClientsTest::typescript);
  }

  @Test
  void the_client_for_python_works_below_a_path_of_a_servlet_container() throws Exception {
    withServlet(ClientsTest::python);
  }

  @Test
  void the_client_for_python_works_on_sqlite() throws Exception {
    withSqlite(ClientsTest::python);
  }

  @Test
  void the_client_for_python_works_on_postgresql() throws Exception {
    withPostgres(ClientsTest::python);
  }
}
