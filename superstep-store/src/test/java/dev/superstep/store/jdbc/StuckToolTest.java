package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A tool that ignores its interruption is left behind, and the thread of its run goes on without
/// it in the file.
@Timeout(60)
class StuckToolTest {
  private static final String LATE = "The tool did not finish within 20 ms.";

  record None() {}

  @TempDir Path folder;

  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> refused = new AtomicReference<>();

  private Tool stuck(Duration limit) {
    return Tool.of(
            "stick",
            "Sticks.",
            None.class,
            (_, context) -> {
              thread.set(Thread.currentThread());
              begun.countDown();
              while (released.getCount() > 0) {
                try {
                  released.await();
                } catch (InterruptedException _) {
                  // Ignored.
                }
              }
              try {
                return context.node().step("late", String.class, () -> "too late");
              } catch (Throwable e) {
                refused.set(e);
                throw e;
              }
            })
        .withTimeout(limit);
  }

  private static ScriptedModel calling() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "stick", "{}")), ScriptedModel.text("Done."));
  }

  private static List<String> answers(List<Message> messages) {
    return messages.stream()
        .filter(ToolMessage.class::isInstance)
        .map(message -> ((ToolMessage) message).text())
        .toList();
  }

  private RunOptions options(SqliteCheckpointer store, Durability durability) {
    return RunOptions.thread("t").checkpoints(store).durability(durability);
  }

  @ParameterizedTest
  @EnumSource
  void a_run_goes_on_without_it_and_so_does_the_next(Durability durability) throws Exception {
    var file = folder.resolve("stuck.sqlite");
    try (var store = SqliteCheckpointer.open(file)) {
      var agent = Agent.named("a").model(calling()).tools(stuck(Duration.ofMillis(20))).build();
      var result = agent.run("Go.", options(store, durability));
      assertThat(result.answer()).isEqualTo("Done.");
      assertThat(answers(result.report().conversation())).containsExactly(LATE);
      released.countDown();
      thread.get().join();
      assertThat(refused.get()).isInstanceOf(Error.class);
    }
    try (var store = SqliteCheckpointer.open(file)) {
      var agent =
          Agent.named("a")
              .model(ScriptedModel.saying("Again."))
              .tools(stuck(Duration.ofMillis(20)))
              .build();
      var result = agent.run("And now?", options(store, durability));
      assertThat(result.answer()).isEqualTo("Again.");
      assertThat(answers(result.report().conversation())).containsExactly(LATE);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"SYNC", "ASYNC"})
  void a_cancelled_run_leaves_it_and_is_resumed(Durability durability) throws Exception {
    var file = folder.resolve("cancelled.sqlite");
    try (var store = SqliteCheckpointer.open(file)) {
      var agent = Agent.named("a").model(calling()).tools(stuck(Duration.ofHours(1))).build();
      var caller = Thread.currentThread();
      var watcher =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  begun.await();
                  caller.interrupt();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      assertThatThrownBy(() -> agent.run("Go.", options(store, durability)))
          .isInstanceOf(InterruptedException.class);
      watcher.join();
      released.countDown();
      thread.get().join();
      assertThat(refused.get()).isInstanceOf(Error.class);
    }
    try (var store = SqliteCheckpointer.open(file)) {
      var quick = Tool.of("stick", "Sticks.", None.class, (_, _) -> "quick");
      var agent = Agent.named("a").model(ScriptedModel.saying("Resumed.")).tools(quick).build();
      var result = agent.resume(Answers.none(), options(store, durability));
      assertThat(result.answer()).isEqualTo("Resumed.");
      assertThat(answers(result.report().conversation())).containsExactly("quick");
    }
  }
}
