package dev.superstep.store.crash;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.event.Redaction;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.kills.PointedCheckpointer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// A process that tells a [Story] to its end: it begins the thread, goes on with it, or answers its
/// question, whatever it finds. Its arguments: the store's address, the file of notes, the thread,
/// the durability, at which write it is killed, and where around it.
final class Teller {
  private static final Duration LEASE = Duration.ofMillis(100);

  /// How the names of threads end that keep no journal: their runs give them back with their last
  /// writes.
  static final String UNTOLD = "-untold";

  private Teller() {}

  public static void main(String[] arguments) {
    System.out.println(told(() -> tell(arguments)));
    System.out.flush();
  }

  /// The last line of a process: what it came to, or why it did not. Whoever started it reads
  /// nothing else.
  static String told(Callable<String> work) {
    try {
      return work.call();
    } catch (SuperstepException e) {
      return "failed " + e.code() + " " + oneLine(e);
    } catch (Exception e) {
      return "failed " + oneLine(e);
    }
  }

  private static String oneLine(Exception e) {
    var text = new StringBuilder(e.toString());
    for (var cause = e.getCause(); cause != null; cause = cause.getCause()) {
      text.append(" because of ").append(cause);
    }
    return text.toString().replaceAll("\\R", " ");
  }

  static String tell(String[] arguments) throws Exception {
    var notes = new Notes(Path.of(arguments[1]));
    int point = Integer.parseInt(arguments[4]);
    var when = PointedCheckpointer.When.valueOf(arguments[5]);
    try (var store = open(arguments[0])) {
      var pointed = new PointedCheckpointer(store, point, when, notes);
      var options =
          RunOptions.thread(arguments[2])
              .checkpoints(pointed)
              .durability(Durability.valueOf(arguments[3]))
              .lease(LEASE);
      boolean isUntold = arguments[2].endsWith(UNTOLD);
      return end(new Story(notes), isUntold ? options : options.journal(Redaction.none()));
    }
  }

  static Checkpointer open(String address) {
    return open(address, Duration.ofSeconds(30));
  }

  /// @param connecting how long a connection is waited for
  static Checkpointer open(String address, Duration connecting) {
    if (!address.startsWith("jdbc:postgresql:")) return SqliteCheckpointer.open(Path.of(address));
    var config = new HikariConfig();
    config.setJdbcUrl(address);
    config.setMaximumPoolSize(4);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(connecting.toMillis());
    return PostgresCheckpointer.on(new HikariDataSource(config));
  }

  private static String end(Story story, RunOptions options) throws InterruptedException {
    var graph = story.graph();
    while (true) {
      try {
        var state = graph.state(options);
        var outcome =
            state.isEmpty()
                ? graph.invoke(Input.none(), options)
                : graph.resume(answers(state.get().questions()), options);
        if (outcome instanceof Outcome.Completed(var end)) {
          return "completed " + end.get(Story.LOG) + " " + end.get(Story.SUM);
        }
      } catch (ThreadBusy _) {
        // The one that was killed held it; its time is soon over.
        LockSupport.parkNanos(LEASE.dividedBy(4).toNanos());
      } catch (StoreFailed e) {
        // A machine at load keeps a process from its core, and others from the file, for long.
        if (!e.getMessage().contains("another process keeps it locked")) throw e;
      }
    }
  }

  private static Answers answers(java.util.List<dev.superstep.checkpoint.Interrupt> questions) {
    var answers = Answers.none();
    for (var question : questions) answers = answers.and(Story.COLOUR.answer(question, "red"));
    return answers;
  }
}
