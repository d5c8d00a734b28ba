package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.run.Problem;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a flow is known to come to before it runs.
@Tag("W42")
@Tag("A8")
class SoundnessTest {
  record In(int v) {}

  record Out(int v) {}

  record A(int v) {}

  record B(int v) {}

  record C(int v) {}

  record D(int v) {}

  private static FlowBuilder<In, Out> forked() {
    return Flow.named("demo", In.class, Out.class)
        .fork(In.class, A.class, B.class, i -> Both.of(new A(i.v()), new B(i.v())));
  }

  private static List<String> codes(Flow<?, ?> flow) {
    return flow.warnings().stream().map(Problem::code).toList();
  }

  @Test
  void a_choice_whose_ways_both_meet_the_other_branch_is_sound() {
    var flow =
        forked()
            .either(A.class, C.class, D.class, _ -> Either.left(new C(1)))
            .map(D.class, C.class, d -> new C(d.v()))
            .join(B.class, C.class, Out.class, (b, c) -> new Out(b.v() + c.v()))
            .build();
    assertThat(flow.warnings()).isEmpty();
  }

  @Test
  void branches_that_never_join_are_reported() {
    var flow =
        forked().map(A.class, Out.class, _ -> new Out(1)).map(B.class, Out.class, _ -> new Out(2));
    assertThat(codes(flow.build())).containsExactly("written-twice");
  }

  @Test
  void a_branch_that_may_overtake_the_join_is_reported() {
    var flow =
        forked()
            .either(A.class, C.class, Out.class, _ -> Either.left(new C(1)))
            .join(B.class, C.class, Out.class, (_, _) -> new Out(1))
            .build();
    assertThat(flow.warnings())
        .containsExactly(
            new Problem("starved", "if `A` becomes `Out`, `B and C` waits for `C` for ever"));
  }

  @Test
  void a_loop_is_simulated_once() {
    var flow =
        Flow.named("demo", In.class, Out.class)
            .either(In.class, A.class, Out.class, _ -> Either.left(new A(1)))
            .map(A.class, In.class, a -> new In(a.v()))
            .loops(1_000)
            .build();
    assertThat(flow.warnings()).isEmpty();
  }
}
