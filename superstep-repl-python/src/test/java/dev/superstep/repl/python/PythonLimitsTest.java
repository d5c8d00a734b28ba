package dev.superstep.repl.python;

import static dev.superstep.repl.python.Confined.interpreters;
import static dev.superstep.repl.python.Confined.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.repl.CellError;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Limits of cells in Python. Each ends its cell, kills the process with all that it started, and
/// undoes the cell; nothing in the cell can catch that, and the session goes on.
@Tag("S29")
@Timeout(120)
class PythonLimitsTest {
  private static CellSession session(ReplPolicy policy, Capabilities host) {
    var session = Confined.python().open(policy, host);
    assertThat(said(session.executeHere("kept = 'before'"))).isEmpty();
    return session;
  }

  private static void goesOn(CellSession session) {
    assertThat(said(session.executeHere("print(kept)"))).isEqualTo("before\n");
  }

  private static CellError ended(CellSession session, String source) {
    var result = session.executeHere(source);
    assertThat(result.error()).as(source).isNotNull();
    assertThat(result.error().kind()).isEqualTo(CellError.Kind.ENDED);
    assertThat(result.changed()).isEmpty();
    return result.error();
  }

  @Test
  void a_cell_that_takes_too_long_is_killed_with_its_children() {
    var policy = ReplPolicy.standard().withCellTime(Duration.ofMillis(700));
    try (var session = session(policy, Capabilities.none())) {
      var cell =
          """
          import os
          kept = 'after'
          for i in range(3):
              if os.fork() == 0:
                  os.setsid()
                  while True: pass
          try:
              while True: pass
          except BaseException:
              while True: pass
          """;
      assertThat(ended(session, cell).code()).isEqualTo("E-ragsh-timeout");
      assertThat(interpreters()).isEmpty();
      goesOn(session);
    }
    assertThat(interpreters()).isEmpty();
  }

  @Test
  void output_is_limited_while_it_is_printed() {
    var policy = ReplPolicy.standard().withOutput(100, 5_000);
    try (var session = session(policy, Capabilities.none())) {
      var cell =
          "kept = 2\n"
              + "while True:\n"
              + "    try:\n"
              + "        print('x' * 99)\n"
              + "    except BaseException:\n"
              + "        pass";
      var result = session.executeHere(cell);
      assertThat(result.error().code()).isEqualTo("E-ragsh-output-limit");
      assertThat(result.output().length()).isEqualTo(5_000);
      assertThat(result.output().shown()).contains("4900 characters left out");
      goesOn(session);
    }
  }

  @Test
  void memory_is_limited_by_the_system() {
    var policy = ReplPolicy.standard().withMemory(32 << 20);
    try (var session = session(policy, Capabilities.none())) {
      var error = ended(session, "xs = []\nwhile True: xs.append('x' * 1_000_000)");
      assertThat(error.code()).isEqualTo("E-ragsh-memory-limit");
      goesOn(session);
    }
  }

  @Test
  void deep_recursion_ends_the_cell() {
    try (var session = session(ReplPolicy.standard(), Capabilities.none())) {
      assertThat(ended(session, "def f(n): return f(n + 1)\nf(0)").code())
          .isEqualTo("E-ragsh-recursion-limit");
      goesOn(session);
    }
  }

  @Test
  void a_call_that_ends_the_cell_cannot_be_caught() {
    var calls = new AtomicInteger();
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "spend()",
                    _ -> {
                      calls.incrementAndGet();
                      throw HostFailure.fatal("budget-limit", "nothing is left");
                    }));
    try (var session = session(ReplPolicy.standard(), host)) {
      var cell =
          "kept = 2\n"
              + "while True:\n"
              + "    try:\n"
              + "        spend()\n"
              + "    except BaseException:\n"
              + "        pass";
      assertThat(ended(session, cell).code()).isEqualTo("E-ragsh-budget-limit");
      assertThat(calls).hasValue(1);
      goesOn(session);
    }
  }

  @Test
  void a_suspension_of_a_call_ends_the_cell_and_is_thrown() {
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "wait()",
                    _ -> {
                      throw new StackOverflowError("suspended");
                    }));
    try (var session = session(ReplPolicy.standard(), host)) {
      assertThatThrownBy(() -> session.executeHere("kept = 2\nwait()"))
          .isInstanceOf(StackOverflowError.class);
      assertThat(interpreters()).isEmpty();
      goesOn(session);
    }
  }

  @Test
  void an_interrupt_cancels_the_cell_and_stays() throws Exception {
    var runs = new CountDownLatch(1);
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "begun()",
                    _ -> {
                      runs.countDown();
                      return HostValue.NOTHING;
                    }));
    try (var session = session(ReplPolicy.standard(), host)) {
      var cell = Thread.currentThread();
      var other =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  runs.await();
                  cell.interrupt();
                } catch (InterruptedException _) {
                  Thread.currentThread().interrupt();
                }
              });
      var error = ended(session, "begun()\nwhile True: pass");
      assertThat(Thread.interrupted()).isTrue();
      other.join();
      assertThat(error.code()).isEqualTo("E-ragsh-cancelled");
      assertThat(interpreters()).isEmpty();
      goesOn(session);
    }
  }

  @Test
  void the_time_of_calls_is_not_the_time_of_the_cell() {
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "slow()",
                    _ -> {
                      Thread.sleep(900);
                      return HostValue.NOTHING;
                    }));
    var policy = ReplPolicy.standard().withCellTime(Duration.ofMillis(800));
    try (var session = session(policy, host)) {
      assertThat(said(session.executeHere("slow()\nslow()\nprint('done')"))).isEqualTo("done\n");
    }
  }

  @Test
  void a_closed_session_runs_nothing() {
    var session = session(ReplPolicy.standard(), Capabilities.none());
    session.close();
    assertThat(interpreters()).isEmpty();
    assertThat(ended(session, "1").code()).isEqualTo("E-ragsh-cancelled");
    assertThat(interpreters()).isEmpty();
  }
}
