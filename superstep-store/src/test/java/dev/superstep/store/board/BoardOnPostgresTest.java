package dev.superstep.store.board;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.goal.GoalBudget;
import dev.superstep.goal.GoalLoop;
import dev.superstep.goal.GoalStatus;
import dev.superstep.goal.GoalTurn;
import dev.superstep.goal.Goals;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.test.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T107")
final class BoardOnPostgresTest {
  private static HikariDataSource pool(String url) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(4);
    // A machine at load takes its time.
    pool.setConnectionTimeout(60_000);
    return pool;
  }

  @Test
  void eight_workers_of_two_pools_do_each_task_once() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var one = pool(database.url());
        var other = pool(database.url());
        var first = PostgresStore.on(one);
        var second = PostgresStore.on(other)) {
      BoardOnSqliteTest.race(40, first, second);
    }
  }

  @Test
  void a_goal_is_limited_by_one_and_raised_by_another() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var one = pool(database.url());
        var other = pool(database.url());
        var first = PostgresStore.on(one);
        var second = PostgresStore.on(other)) {
      var mine = Goals.in(first);
      var theirs = Goals.in(second);
      mine.set("ann", "Climb.", GoalBudget.unlimited().turns(2));
      var loop = GoalLoop.of(mine, (_, _) -> GoalTurn.again());
      assertThat(loop.run("ann").status()).isEqualTo(GoalStatus.BUDGET_LIMITED);
      theirs.raise("ann", GoalBudget.unlimited().turns(3));
      theirs.resume("ann");
      assertThat(loop.run("ann").turns()).isEqualTo(3);
      assertThat(theirs.get("ann")).isEqualTo(mine.get("ann"));
    }
  }
}
