package dev.superstep.store.jdbc;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Send;
import dev.superstep.node.Target;
import dev.superstep.node.Update;
import dev.superstep.run.Answers;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.test.postgres.PgBouncer;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs on a PostgreSQL that fails in the midst of a superstep: nothing is lost or done twice, and
/// the error says how certain it is.
final class PostgresRunTest {
  private static final Channel<List<Long>, Long> LIST = Channel.append("list", Long.class);
  private static final Channel<Long, Long> COUNT = Channel.sum("count");
  private static final Target<Long> EACH = Target.of("each", Long.class);
  private static final String THREAD = "thread";
  private static final int STEPS = 8;
  private static final int FAILING = 4;
  private static final int RACERS = 8;

  private final ConcurrentLinkedQueue<Long> executed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isCut = new AtomicBoolean();
  private PostgresDatabase database;
  private HikariDataSource pool;

  /// Something that happens while a superstep runs.
  private interface Event {
    void during(long step) throws Exception;
  }

  @BeforeEach
  void open() {
    database = PostgresServer.shared().freshDatabase();
    pool = Postgres.pool(database);
    PostgresCheckpointer.migrate(pool);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /// Appends the number of each superstep.
  private Graph row(Event event) {
    return Graph.named("row")
        .channels(LIST, COUNT)
        .node(
            "add",
            (state, _) -> {
              long step = state.get(COUNT);
              event.during(step);
              executed.add(step);
              return Update.of(LIST, step).and(COUNT, 1L);
            })
        .edge(START, "add")
        .route("add", state -> state.get(COUNT) < STEPS ? "add" : END, "add", END)
        .compile();
  }

  private static RunOptions on(PostgresCheckpointer store) {
    return RunOptions.thread(THREAD).checkpoints(store);
  }

  private static State completed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Completed.class);
    return ((Outcome.Completed) outcome).state();
  }

  private static List<Long> upTo(int many) {
    return LongStream.range(0, many).boxed().toList();
  }

  /// Ends the session of the server when a statement of the last round trip adds its row.
  private void cutAt(String table) throws SQLException {
    Postgres.run(
        pool,
        "create table cut (at bigint)",
        """
        create function cut() returns trigger language plpgsql as $$ begin
          if exists (select from public.cut) then
            perform pg_terminate_backend(pg_backend_pid());
            perform pg_sleep(60);
          end if;
          return null;
        end $$
        """,
        "create trigger cutting after insert on superstep.%s for each row execute function cut()"
            .formatted(table));
  }

  @ParameterizedTest
  @ValueSource(strings = {"log_item", "checkpoint"})
  void a_session_that_ends_within_the_last_trip_of_a_superstep_loses_that_superstep_only(
      String table) throws Exception {
    cutAt(table);
    var graph =
        row(step -> {
          if (step == FAILING && !executed.contains(step)) {
            Postgres.run(pool, "insert into cut values (1)");
          }
        });
    try (var store = PostgresCheckpointer.on(pool)) {
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store)))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("whether that was kept is not known")
          .hasMessageContaining("read what is there before you write again");
      Postgres.run(pool, "delete from cut");
      assertThat(executed).containsExactlyElementsOf(upTo(FAILING + 1));
      var end = completed(graph.resume(Answers.none(), on(store)));
      assertThat(end.get(LIST)).isEqualTo(upTo(STEPS));
      // The one superstep of which nothing was saved.
      assertThat(executed).hasSize(STEPS + 1);
    }
  }

  @Test
  void a_commit_whose_answer_is_lost_is_found_and_its_superstep_is_not_repeated() throws Exception {
    var isArmed = new AtomicBoolean();
    var graph = row(step -> isArmed.set(step == FAILING && !executed.contains(step)));
    try (var store = PostgresCheckpointer.on(losingAnswers(isArmed))) {
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store)))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("whether that was kept is not known");
      var end = completed(graph.resume(Answers.none(), on(store)));
      assertThat(end.get(LIST)).isEqualTo(upTo(STEPS));
      assertThat(executed).containsExactlyElementsOf(upTo(STEPS));
    }
  }

  /// The connection is cut when the server has committed, before it says so.
  private DataSource losingAnswers(AtomicBoolean isArmed) {
    return Postgres.watchedAfter(
        pool,
        text -> {
          if (!text.endsWith("; commit") || !text.contains("insert into checkpoint")) return;
          if (isArmed.getAndSet(false)) throw new SQLException("cut off", "08006");
        });
  }

  @Test
  void a_row_that_exists_already_refuses_the_superstep_for_certain() throws Exception {
    var graph = row(_ -> {});
    try (var store = PostgresCheckpointer.on(pool)) {
      Postgres.run(
          pool,
          "create unique index once on superstep.log_item (json)",
          "insert into superstep.log (family, lineage, base_length) values (0, 0, 0)",
          "insert into superstep.log_item (log, idx, json)"
              + " select max(id), 0, '%d' from superstep.log".formatted(FAILING));
      assertThatThrownBy(() -> graph.invoke(Input.none(), on(store)))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("duplicate key value violates unique constraint")
          .hasMessageNotContaining("not known");
      assertThat(executed).containsExactlyElementsOf(upTo(FAILING + 1));
      Postgres.run(pool, "drop index superstep.once");
      var end = completed(graph.resume(Answers.none(), on(store)));
      assertThat(end.get(LIST)).isEqualTo(upTo(STEPS));
      assertThat(executed).hasSize(STEPS + 1);
    }
  }

  @Test
  void tasks_that_ended_before_the_cut_are_not_run_again() throws Exception {
    cutAt("checkpoint");
    var graph = fan();
    try (var store = PostgresCheckpointer.on(pool)) {
      var options = on(store).concurrency(2);
      isCut.set(true);
      assertThatThrownBy(() -> graph.invoke(Input.none(), options)).isInstanceOf(StoreFailed.class);
      Postgres.run(pool, "delete from cut");
      var head = store.latest(Lineage.of(THREAD)).orElseThrow().checkpoint().id();
      long kept =
          store.tasks(Lineage.of(THREAD), head).stream().filter(TaskRecord::isFinal).count();
      assertThat(kept).isPositive();
      var end = completed(graph.resume(Answers.none(), options));
      assertThat(end.get(LIST)).isEqualTo(upTo(STEPS));
      assertThat(executed).hasSize(2 * STEPS - (int) kept);
    }
  }

  private Graph fan() {
    var sends = new ArrayList<Send<?>>();
    for (long i = 0; i < STEPS; i++) sends.add(Send.to(EACH, i));
    return Graph.named("fan")
        .channels(LIST)
        .node("fan", (_, _) -> NodeResult.nothing())
        .node(
            EACH,
            (n, _, _) -> {
              executed.add(n);
              if (isCut.getAndSet(false)) Postgres.run(pool, "insert into cut values (1)");
              return Update.of(LIST, n);
            })
        .edge(START, "fan")
        .fanOut("fan", _ -> sends, EACH)
        .edge("each", END)
        .compile();
  }

  @Test
  void a_pooler_may_be_restarted_between_two_supersteps() throws Exception {
    Pooler.orSkip();
    try (var pooler = PgBouncer.before(PostgresServer.shared());
        var pooled = Postgres.pool(pooler.of(database));
        var store = PostgresCheckpointer.on(pooled)) {
      var graph =
          row(step -> {
            if (step == FAILING) pooler.restart();
          });
      var end = completed(graph.invoke(Input.none(), on(store)));
      assertThat(end.get(LIST)).isEqualTo(upTo(STEPS));
      assertThat(executed).containsExactlyElementsOf(upTo(STEPS));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void of_eight_that_race_for_a_thread_one_runs_at_a_time(boolean isPooled) throws Exception {
    var atWork = new AtomicInteger();
    var graph =
        Graph.named("race")
            .channels(COUNT)
            .node(
                "add",
                (_, _) -> {
                  assertThat(atWork.incrementAndGet()).isEqualTo(1);
                  executed.add(0L);
                  atWork.decrementAndGet();
                  return Update.of(COUNT, 1L);
                })
            .edge(START, "add")
            .edge("add", END)
            .compile();
    var way = isPooled ? Pooler.orSkip().of(database) : database;
    try (var many = Postgres.pool(way);
        var store = PostgresCheckpointer.on(many)) {
      race(() -> {
        for (int done = 0; done < STEPS; ) {
          try {
            completed(graph.invoke(Input.none(), on(store)));
            done++;
          } catch (ThreadBusy busy) {
            assertThat(busy.getMessage()).contains(THREAD);
          }
        }
        return true;
      });
      var saved = store.latest(Lineage.of(THREAD)).orElseThrow();
      assertThat(completed(graph.invoke(Input.none(), on(store))).get(COUNT))
          .as(saved.toString())
          .isEqualTo(RACERS * STEPS + 1L);
      assertThat(executed).hasSize(RACERS * STEPS + 1);
    }
  }

  private static void race(Callable<Boolean> racer) throws Exception {
    var start = new CyclicBarrier(RACERS);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < RACERS; i++) {
        running.add(
            threads.submit(() -> {
              start.await();
              return racer.call();
            }));
      }
      for (var one : running) assertThat(one.get()).isTrue();
    }
  }
}
