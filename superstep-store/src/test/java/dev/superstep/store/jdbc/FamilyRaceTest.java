package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.json.Json;
import dev.superstep.test.postgres.PostgresServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads of one family on PostgreSQL that are forked, copied, written to, pruned and deleted by
/// many connections at once. What they share stays as long as one of them needs it, and no longer,
/// and no two wait for each other.
@Tag("T94")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class FamilyRaceTest {
  private static final int WORKERS = 6;
  private static final int ROUNDS = 25;
  private static final Duration LONG = Duration.ofHours(1);

  private final AtomicInteger checkpoints = new AtomicInteger();
  private HikariDataSource pool;
  private PostgresCheckpointer store;

  /// A thread, its newest checkpoint, and what its list holds.
  private record Member(Lineage lineage, Optional<String> head, int step, List<Json> items) {
    static Member named(String name) {
      return new Member(Lineage.of(name), Optional.empty(), 0, List.of());
    }
  }

  @BeforeEach
  void open() {
    pool = Postgres.pool(PostgresServer.shared().freshDatabase());
    store = PostgresCheckpointer.on(pool);
  }

  @AfterEach
  void close() {
    store.close();
    pool.close();
  }

  private Checkpoint next(Member member) {
    var id = "c" + checkpoints.incrementAndGet();
    var nothing = Progress.of(List.of());
    var loop = Checkpoint.Source.LOOP;
    return new Checkpoint(
        Checkpoint.FORMAT,
        id,
        member.head(),
        id,
        member.step() + 1,
        loop,
        Instant.EPOCH,
        "run",
        "graph",
        "hash",
        nothing,
        Map.of());
  }

  /// Adds so many items, one with each checkpoint.
  private Member grown(Lease lease, Member from, int times) {
    var member = from;
    for (int i = 0; i < times; i++) {
      var checkpoint = next(member);
      var item = Json.string(checkpoint.id());
      var change = Commits.appended("list", member.items().size(), item);
      var commit = new Commit(member.lineage(), checkpoint, List.of(change));
      assertThat(store.commit(lease, commit)).isTrue();
      var items = Stream.concat(member.items().stream(), Stream.of(item)).toList();
      var head = Optional.of(checkpoint.id());
      member = new Member(member.lineage(), head, checkpoint.step(), items);
    }
    return member;
  }

  private void holds(Member member) {
    var saved = store.latest(member.lineage()).orElseThrow();
    assertThat(saved.checkpoint().id()).isEqualTo(member.head().orElseThrow());
    assertThat(saved.channels().getFirst().content()).isEqualTo(new Content.Items(member.items()));
  }

  private Lease hold(Member member) {
    return store.acquire(member.lineage().thread(), "the test", LONG);
  }

  /// A new thread that begins as another one is, unless that is gone by now.
  private Optional<Member> forked(Member source, Member target, Lease lease, boolean isCopy) {
    if (isCopy) {
      boolean isMade = store.copy(lease, source.lineage().thread());
      return isMade ? Optional.of(with(target.lineage(), source)) : Optional.empty();
    }
    var first = next(source);
    var from = source.head().orElseThrow();
    var fork = new Fork(source.lineage(), from, target.lineage(), first, List.of());
    if (!store.fork(lease, fork)) return Optional.empty();
    var head = Optional.of(first.id());
    return Optional.of(new Member(target.lineage(), head, first.step(), source.items()));
  }

  private static Member with(Lineage lineage, Member source) {
    return new Member(lineage, source.head(), source.step(), source.items());
  }

  /// What one worker does to the source while all others do something to it, too.
  private Optional<Member> race(Member source, int worker, int round) {
    if (worker == 0) {
      var lease = hold(source);
      if (round % 2 == 0) {
        store.delete(lease);
        return Optional.empty();
      }
      // What the others fork from goes, and what it holds is needed by nobody else.
      var cut = grown(lease, source, 1);
      store.prune(lease, Prune.keepLast(1));
      store.release(lease);
      return Optional.of(cut);
    }
    var target = Member.named("t-" + worker + "-" + round);
    var lease = hold(target);
    var begun = forked(source, target, lease, worker == 1 && round % 2 == 0);
    store.release(lease);
    return begun;
  }

  private boolean ends(Member member) {
    holds(member);
    var lease = hold(member);
    var grown = grown(lease, member, 1);
    holds(grown);
    store.delete(lease);
    return store.latest(member.lineage()).isEmpty();
  }

  private interface Part<T> {
    T of(int worker) throws Exception;
  }

  private static <T> List<T> together(int workers, Part<T> part) throws Exception {
    var start = new CyclicBarrier(workers);
    var results = new ArrayList<T>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<T>>();
      for (int i = 0; i < workers; i++) {
        int worker = i;
        all.add(
            threads.submit(() -> {
              start.await();
              return part.of(worker);
            }));
      }
      for (var one : all) results.add(one.get());
    }
    return results;
  }

  @Test
  void threads_that_share_a_log_can_be_forked_pruned_and_deleted_concurrently() throws Exception {
    var rootLease = hold(Member.named("root"));
    var root = grown(rootLease, Member.named("root"), 5);
    int forks = 0;
    for (int i = 0; i < ROUNDS; i++) {
      int round = i;
      var lease = hold(Member.named("source-" + round));
      var begun = forked(root, Member.named("source-" + round), lease, false).orElseThrow();
      var source = grown(lease, begun, 3);
      store.release(lease);
      var left = together(WORKERS, worker -> race(source, worker, round));
      var members = left.stream().flatMap(Optional::stream).toList();
      members.forEach(this::holds);
      holds(root);
      forks += members.size();
      if (members.isEmpty()) continue;
      assertThat(together(members.size(), n -> ends(members.get(n)))).containsOnly(true);
    }
    assertThat(forks).isPositive();
    assertThat(text("select count(*) from superstep.family")).isEqualTo("1");
    holds(root);
    store.delete(rootLease);
    for (var table : List.of("thread", "family", "value", "log", "log_item", "checkpoint")) {
      assertThat(text("select count(*) from superstep." + table)).as(table).isEqualTo("0");
    }
    noneWaitedForEachOther();
  }

  /// A write that gives way is tried again, so the server is asked whether one did.
  private void noneWaitedForEachOther() throws Exception {
    store.close();
    pool.close();
    // What a session counted is told when it ends.
    try (var later = Postgres.pool(PostgresServer.shared().freshDatabase())) {
      var name = pool.getJdbcUrl().replaceAll(".*/(\\w+)\\?.*", "$1");
      var query = "select %s from pg_stat_database where datname = '%s'";
      assertThat(Postgres.text(later, query.formatted("deadlocks", name))).isEqualTo("0");
      long commits = Long.parseLong(Postgres.text(later, query.formatted("xact_commit", name)));
      assertThat(commits).isGreaterThan(0);
    }
  }

  private String text(String query) throws Exception {
    return Postgres.text(pool, query);
  }
}
