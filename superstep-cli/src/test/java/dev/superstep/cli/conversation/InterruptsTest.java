package dev.superstep.cli.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.Keyboard;
import dev.superstep.cli.host.SignalHandler;
import dev.superstep.cli.host.Terminal;
import dev.superstep.cli.screen.ApprovalAnswer;
import dev.superstep.cli.screen.ApprovalView;
import dev.superstep.terminal.PlanDecision;
import dev.superstep.terminal.Recovery;
import dev.superstep.terminal.Waiting;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Ctrl-C at any moment, once or twice, leaves a conversation that has ended or waits for a person.
@Timeout(3_600)
@Tag("TH20")
class InterruptsTest {
  private static final int CASES = 12;
  private static final int CASES_LONG = 500;
  private static final int WINDOW_MILLIS = 900;

  @TempDir Path folder;

  /// Approves everything, and gives up after a failure.
  private static final class Willing implements Person {
    @Override
    public Optional<PlanDecision> plan(Waiting.ForPlan asked) {
      return Optional.of(new PlanDecision.Accept());
    }

    @Override
    public Optional<Recovery> step(Waiting.ForStep asked) {
      return Optional.of(Recovery.CONTINUE);
    }

    @Override
    public Optional<ApprovalAnswer> command(ApprovalView view) {
      return Optional.of(new ApprovalAnswer.Approve());
    }

    @Override
    public Optional<String> answer(Waiting.ForAnswer asked) {
      return Optional.empty();
    }

    @Override
    public Optional<Recovery> recover(String what, Set<Recovery> choices) {
      return Optional.of(Recovery.SKIP);
    }

    @Override
    public boolean agrees(String question) {
      return false;
    }
  }

  /// Nobody types.
  private record Silence() implements Keyboard {
    @Override
    public Optional<String> readLine() {
      return Optional.empty();
    }

    @Override
    public boolean forget() {
      return false;
    }

    @Override
    public Duration quiet() {
      return Duration.ZERO;
    }

    @Override
    public void rest(Duration time) {}

    @Override
    public long nanoTime() {
      return 0;
    }
  }

  private Host host() throws IOException {
    var none = new PrintStream(PrintStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    var variables = new HashMap<String, String>();
    variables.put("PATH", System.getenv("PATH"));
    variables.put("HOME", folder.toString());
    variables.put("XDG_CONFIG_HOME", folder.resolve("settings").toString());
    return new Host(
        folder.toRealPath(),
        variables,
        new Terminal(new Silence(), none, none, false, false),
        "./superstep",
        new Host.Chance(InstantSource.system(), new Random(1)),
        new SignalHandler());
  }

  private void talk() throws IOException {
    var plan =
        "{\\\"steps\\\":[{\\\"description\\\":\\\"Wait for a moment\\\"},"
            + "{\\\"description\\\":\\\"Wait for another one\\\"}]}";
    var command =
        "{\\\"commands\\\":[{\\\"command\\\":\\\"sleep 0.2; echo x >> log\\\","
            + "\\\"explanation\\\":\\\"Waits.\\\"}],\\\"done\\\":true}";
    Files.writeString(
        folder.resolve("talk.json"),
        "{\"replies\":[{\"text\":\"%s\"},{\"text\":\"%s\"},{\"text\":\"%s\"}]}"
            .formatted(plan, command, command));
  }

  @Test
  void an_interrupt_at_any_moment_ends_the_command_or_the_conversation() throws Exception {
    interrupted(CASES);
  }

  @Test
  @Tag("long")
  void an_interrupt_at_any_of_many_moments_does() throws Exception {
    interrupted(CASES_LONG);
  }

  private void interrupted(int cases) throws Exception {
    var host = host();
    talk();
    var looks = new TerminalOptions.Looks(false, false, false, false);
    var options =
        new TerminalOptions(
            Optional.of("scripted://talk.json"),
            Optional.empty(),
            TerminalOptions.Bounds.STANDARD,
            false,
            looks);
    for (int seed = 0; seed < cases; seed++) interrupted(host, options, new Random(seed));
  }

  private void interrupted(Host host, TerminalOptions options, Random random) throws Exception {
    var log = folder.resolve("log");
    Files.deleteIfExists(log);
    var person = new Willing();
    try (var terminal = OpenTerminal.open(host, options, person)) {
      var output = new ConversationOutput(host.terminal(), false, null);
      var interrupts = new Interrupts(terminal.runner());
      var run =
          new ConversationRun(terminal, person, output, interrupts, ConversationRun.Extent.RUN);
      var session = terminal.session();
      var conversation = session.ask("wait");
      int presses = 1 + random.nextInt(3);
      var finger =
          Thread.ofPlatform()
              .start(() -> {
                for (int i = 0; i < presses; i++) {
                  LockSupport.parkNanos(Duration.ofMillis(random.nextInt(WINDOW_MILLIS)).toNanos());
                  interrupts.interrupted();
                }
              });
      var end = run.run(session, conversation);
      finger.join();
      interrupts.settle();
      var view = conversation.view();
      assertThat(view.status().isFinal()).as(end + " " + view.statusLine()).isTrue();
      long wrote = Files.exists(log) ? Files.readAllLines(log).size() : 0;
      long good = view.attempts().stream().filter(attempt -> attempt.isSuccess()).count();
      assertThat(wrote).isBetween(good, 2L);
      // Nothing goes on behind the end.
      assertThat(terminal.runner().stop()).isFalse();
    }
  }
}
