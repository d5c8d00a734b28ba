package dev.superstep.extras;

import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.detached.DetachedTasks;
import dev.superstep.detached.DetachedTasksClosed;
import dev.superstep.detached.NotTheOwner;
import dev.superstep.detached.TooManyDetachedTasks;
import dev.superstep.detached.UnknownDetachedTask;
import dev.superstep.graph.Graph;
import dev.superstep.json.SuperstepException;
import dev.superstep.lobe.HiddenChannel;
import dev.superstep.lobe.Lobe;
import dev.superstep.lobe.Lobes;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.testkit.CountingIds;
import dev.superstep.testkit.Golden;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The errors of detached tasks and lobes, as users read them, all in one file.
@Tag("A13")
class ErrorMessagesTest {
  private static final Channel<String, String> SECRET = Channel.latest("secret", String.class);

  /// A way to make an error.
  record Case(String title, ThrowingCallable cause) {}

  private static List<Case> cases() {
    return List.of(
        detached("a detached task of somebody else", t -> t.ownedBy("bob").info(search(t))),
        detached("a detached task that there is not", t -> t.ownedBy("bob").info("id-9")),
        detached(
            "more detached tasks than may be",
            tasks -> {
              search(tasks);
              search(tasks);
            }),
        detached(
            "a detached task when it is too late",
            tasks -> {
              tasks.close();
              search(tasks);
            }),
        new Case("a lobe reads what it does not declare", ErrorMessagesTest::peek));
  }

  private static Case detached(String title, Consumer<DetachedTasks<String>> use) {
    var clock = InstantSource.fixed(Instant.EPOCH);
    return new Case(
        title,
        () -> {
          try (var tasks = DetachedTasks.<String>open(1, Duration.ZERO, clock, new CountingIds())) {
            use.accept(tasks);
          }
        });
  }

  private static String search(DetachedTasks<String> tasks) {
    return tasks
        .ownedBy("alice")
        .start(
            "search",
            _ -> {
              new CountDownLatch(1).await();
              return "never";
            });
  }

  private static void peek() throws Throwable {
    var nosy =
        Lobe.named(
            "nosy",
            lobe -> {
              lobe.get(SECRET);
              return Lobe.nothing();
            });
    var mind = Lobes.named("mind", 1).lobes(nosy);
    var graph = mind.addTo(Graph.named("g").channels(SECRET)).edge(START, mind.entry()).compile();
    throw Objects.requireNonNull(catchThrowable(() -> graph.invoke(Input.none())).getCause());
  }

  @Test
  @Tag("E20")
  void every_error_says_what_and_where_and_what_to_do() throws Exception {
    var text = new StringBuilder();
    var met = new LinkedHashSet<Class<?>>();
    for (var one : cases()) {
      var error = catchThrowable(one.cause());
      assertThat(error).as(one.title()).isInstanceOf(SuperstepException.class);
      met.add(error.getClass());
      text.append(shown(one.title(), (SuperstepException) error));
    }
    assertThat(met)
        .containsExactlyInAnyOrder(
            NotTheOwner.class,
            UnknownDetachedTask.class,
            TooManyDetachedTasks.class,
            DetachedTasksClosed.class,
            HiddenChannel.class);
    Golden.in("golden").check("errors.txt", text.toString());
  }

  private static String shown(String title, SuperstepException error) throws Exception {
    var text = new StringBuilder("# " + title + "\n");
    text.append(error.getClass().getSimpleName()).append(' ').append(error.code()).append('\n');
    text.append(error.getMessage()).append('\n');
    for (var field : fields(error.getClass())) {
      text.append("  ").append(field.getName()).append(" = ").append(field.invoke(error));
      text.append('\n');
    }
    return text.append('\n').toString();
  }

  private static List<Method> fields(Class<?> error) {
    return Arrays.stream(error.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && m.getParameterCount() == 0)
        .filter(m -> !Modifier.isStatic(m.getModifiers()))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }
}
