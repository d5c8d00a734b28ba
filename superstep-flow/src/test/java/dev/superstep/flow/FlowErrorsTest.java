package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ScriptedModel;
import dev.superstep.testkit.CountingIds;
import dev.superstep.testkit.Golden;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What users of flows read when something is wrong, all of it in files.
@Tag("P37")
class FlowErrorsTest {
  record In(int value) {}

  record Out(int value) {}

  record A(int value) {}

  record B(int value) {}

  record C(int value) {}

  record Asked(String what) {}

  record Answered(boolean yes) {}

  /// A type with the name of another.
  static final class Elsewhere {
    record A(int value) {}
  }

  record Open(Object anything) {}

  record Broken(int value) {
    @Override
    public int value() {
      throw new IllegalStateException("no value");
    }
  }

  record Lonely(A a) {}

  private static final Golden GOLDEN = Golden.in("flows");

  @TempDir private Path folder;

  private static FlowBuilder<In, Out> builder() {
    return Flow.named("demo", In.class, Out.class);
  }

  private static Flow<In, Out> asking() {
    return builder()
        .map(In.class, Asked.class, _ -> new Asked("may I?"))
        .suspend(Asked.class, Answered.class)
        .map(Answered.class, Out.class, a -> new Out(a.yes() ? 1 : 0))
        .build();
  }

  private static FlowRun<In, Out> asked() throws InterruptedException {
    var run = asking().start(new In(1), RunOptions.defaults().ids(new CountingIds()));
    run.runUntil(FlowLimits.none());
    return run;
  }

  private static Flow<In, Out> forked() {
    return builder()
        .fork(In.class, A.class, B.class, i -> Both.of(new A(i.value()), new B(i.value())))
        .either(
            A.class,
            C.class,
            Out.class,
            a -> a.value() > 0 ? Either.left(new C(1)) : Either.right(new Out(1)))
        .join(B.class, C.class, Out.class, (b, c) -> new Out(2))
        .build();
  }

  private List<ThrowingCallable> causes() {
    return List.of(
        () -> asking().start(new In(1)).get(B.class),
        () -> builder().map(In.class, Open.class, _ -> new Open("")),
        () -> builder().split(In.class, Lonely.class, _ -> new Lonely(new A(1))),
        () -> builder().choose(In.class, A.class, i -> new A(i.value())),
        () -> builder().build(),
        () ->
            Flow.of("broken", In.class, Broken.class, (_, _) -> new Broken(1))
                .start(new In(1))
                .runUntil(FlowLimits.none()),
        () -> asked().resume("Asked", new A(1)),
        () -> FlowSnapshot.parse("[]"),
        () -> FlowSnapshot.readFrom(folder.resolve("none.json")),
        () -> asked().snapshot().writeTo(folder.resolve("none/snapshot.json")),
        () -> {
          var model = ScriptedModel.saying("no JSON", "still none");
          var agent = Agent.named("clerk").model(model).answering(Out.class);
          builder().agent(In.class, Out.class, agent).build().run(new In(1));
        },
        () ->
            Flow.of(
                    "fails",
                    In.class,
                    Out.class,
                    (_, _) -> {
                      throw new IllegalStateException("no network");
                    })
                .run(new In(1)),
        () ->
            builder()
                .either(
                    In.class,
                    A.class,
                    Out.class,
                    i -> i.value() > 9 ? Either.right(new Out(9)) : Either.left(new A(i.value())))
                .map(A.class, In.class, a -> new In(a.value()))
                .loops(3)
                .build()
                .run(new In(1)),
        () -> {
          var agent = Agent.named("clerk").model(ScriptedModel.saying("x")).answering(Out.class);
          var flow = builder().agent(In.class, Out.class, agent).build();
          flow.start(new In(1)).runUntil(FlowLimits.none().turns(0));
        },
        () -> forked().run(new In(0)),
        () ->
            builder()
                .fork(In.class, A.class, B.class, i -> Both.of(new A(1), new B(1)))
                .map(A.class, Out.class, a -> new Out(1))
                .map(B.class, Out.class, b -> new Out(2))
                .build()
                .run(new In(0)),
        () -> asked().next(),
        () -> asking().start(new In(1)).resume("Asked", new Answered(true)),
        () -> asked().resume("Refund", new Answered(true)),
        () -> asking().run(new In(1), options()).output());
  }

  private static RunOptions options() {
    return RunOptions.thread("t").checkpoints(new dev.superstep.checkpoint.InMemoryCheckpointer());
  }

  @Test
  void a_state_that_only_memory_can_keep_is_refused_by_a_snapshot() throws Exception {
    var memory = new InMemoryCheckpointer(InstantSource.system(), false);
    var flow = Flow.of("broken", In.class, Broken.class, (_, _) -> new Broken(1));
    var run = flow.start(new In(1), RunOptions.thread("t").checkpoints(memory));
    run.runUntil(FlowLimits.none());
    assertThat(catchThrowable(run::snapshot)).isInstanceOf(FlowError.SerializeError.class);
  }

  @Test
  void every_error_of_flows_says_what_and_where_and_what_to_do() {
    var text = new StringBuilder();
    var met = new LinkedHashSet<Class<?>>();
    for (var cause : causes()) {
      var error = catchThrowable(cause);
      assertThat(error).as(text.toString()).isInstanceOf(FlowError.class);
      met.add(error.getClass());
      text.append(error.getClass().getSimpleName()).append(' ');
      text.append(((FlowError) error).code()).append('\n');
      var shown = error.getMessage().replace(folder.toString(), "FOLDER");
      shown = shown.replaceAll("flow[0-9]+[.]part", "flow1.part");
      text.append(shown.indent(2)).append('\n');
    }
    assertThat(met)
        .as("provoke each case")
        .containsAll(Arrays.asList(FlowError.class.getPermittedSubclasses()));
    GOLDEN.check("errors.txt", text.toString());
  }

  /// All names that the typed flows of the origin have for errors.
  @Test
  void every_error_name_that_users_know_is_a_case() {
    var names = new ArrayList<String>();
    for (var one : FlowError.class.getPermittedSubclasses()) names.add(one.getSimpleName());
    assertThat(names)
        .contains(
            "NotFound",
            "BuildError",
            "Invalid",
            "SerializeError",
            "DeserializeError",
            "SnapLoadError",
            "SnapStoreError",
            "AgentError",
            "Deadlock",
            "ResumeRequired",
            "UnexpectedResumption",
            "ResumeMismatchError");
  }

  private static <X, Y> FlowBuilder<In, Out> map(
      FlowBuilder<In, Out> builder, Class<X> from, Class<Y> to) {
    return builder.map(
        from,
        to,
        _ -> {
          throw new AssertionError();
        });
  }

  private static List<FlowBuilder<?, ?>> mistakes() {
    var clerk = Agent.named("clerk").model(ScriptedModel.saying("x")).answering(A.class);
    return List.of(
        builder(),
        Flow.named("same", In.class, In.class).map(In.class, A.class, _ -> new A(1)),
        map(map(builder(), In.class, Out.class), In.class, A.class),
        map(map(builder(), In.class, A.class), Elsewhere.A.class, Out.class),
        map(map(builder(), In.class, Out.class), B.class, Out.class),
        map(map(builder(), In.class, A.class), B.class, Out.class),
        map(map(map(builder(), In.class, A.class), A.class, B.class), B.class, A.class),
        builder()
            .either(In.class, A.class, A.class, _ -> Either.left(new A(1)))
            .map(A.class, Out.class, _ -> new Out(1)),
        builder()
            .fork(In.class, A.class, A.class, _ -> Both.of(new A(1), new A(1)))
            .map(A.class, Out.class, _ -> new Out(1)),
        map(builder(), In.class, A.class).join(A.class, A.class, Out.class, (_, _) -> new Out(1)),
        map(builder(), In.class, A.class).join(A.class, B.class, Out.class, (_, _) -> new Out(1)),
        map(map(builder(), In.class, A.class), A.class, Out.class)
            .join(B.class, C.class, B.class, (_, _) -> new B(1)),
        map(map(builder(), In.class, A.class), A.class, Out.class).agent(A.class, A.class, clerk),
        map(map(builder(), In.class, Out.class), Out.class, In.class),
        builder()
            .either(In.class, A.class, Out.class, _ -> Either.left(new A(1)))
            .map(A.class, In.class, a -> new In(a.value())),
        map(builder(), In.class, Out.class).policy(B.class, NodePolicy.defaults()));
  }

  @Test
  @Tag("P13")
  @Tag("P14")
  @Tag("P15")
  @Tag("P16")
  void all_errors_of_the_wiring_are_reported_together() {
    var text = new StringBuilder();
    for (var mistake : mistakes()) {
      var error = catchThrowable(mistake::build);
      assertThat(error).isInstanceOf(FlowError.Invalid.class);
      text.append(error.getMessage()).append("\n\n");
    }
    GOLDEN.check("problems.txt", text.toString());
  }
}
