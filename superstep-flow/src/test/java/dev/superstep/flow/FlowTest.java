package dev.superstep.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.flow.FlowOutcome.Done;
import dev.superstep.flow.FlowStep.Continue;
import dev.superstep.run.Problem;
import dev.superstep.tool.ToolDependencies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the steps of a flow do.
class FlowTest {
  record Article(String text) {}

  record Topic(String text) {}

  record Draft(String text) {}

  record Tags(List<String> names) {}

  record Summary(String text) {}

  record Post(String summary, List<String> tags) {}

  static final Flow<Article, Post> PUBLISH =
      Flow.named("publish", Article.class, Post.class)
          .fork(
              Article.class,
              Topic.class,
              Draft.class,
              a -> Both.of(new Topic(a.text()), new Draft(a.text())))
          .work(Topic.class, Tags.class, (t, _) -> new Tags(List.of(t.text().split(" "))))
          .map(Draft.class, Summary.class, d -> new Summary(d.text().substring(0, 3)))
          .join(Summary.class, Tags.class, Post.class, (s, t) -> new Post(s.text(), t.names()))
          .build();

  private static final Post POST = new Post("ant", List.of("ants", "dig"));

  /// The output, one transition at a time, and how many there were.
  private static <I, O> List<Object> stepwise(Flow<I, O> flow, I input)
      throws InterruptedException {
    var run = flow.start(input);
    int steps = 0;
    while (true) {
      steps++;
      switch (run.next()) {
        case Continue<O> _ -> {}
        case Done<O>(var output) -> {
          return List.of(output, steps);
        }
        case FlowOutcome<O> other -> throw new AssertionError(other);
      }
    }
  }

  @Test
  @Tag("P9")
  @Tag("P10")
  void branches_of_a_fork_meet_in_a_join() throws InterruptedException {
    assertThat(PUBLISH.run(new Article("ants dig")).output()).isEqualTo(POST);
  }

  @Test
  @Tag("P18")
  @Tag("P6")
  void each_call_of_next_runs_one_step() throws InterruptedException {
    assertThat(stepwise(PUBLISH, new Article("ants dig"))).containsExactly(POST, 4);
  }

  @Test
  @Tag("P18")
  void a_flow_that_is_done_stays_done() throws InterruptedException {
    var run = PUBLISH.start(new Article("ants dig"));
    run.runUntil(FlowLimits.none());
    assertThat(run.next()).isEqualTo(new Done<>(POST));
  }

  @Test
  @Tag("P1")
  @Tag("P19")
  void states_are_found_by_type_until_they_are_consumed() throws InterruptedException {
    var run = PUBLISH.start(new Article("ants dig"));
    assertThat(run.get(Article.class)).contains(new Article("ants dig"));
    run.next();
    assertThat(run.get(Article.class)).isEmpty();
    assertThat(run.snapshot().states()).containsExactlyInAnyOrder("Topic", "Draft");
    run.next();
    // Its superstep is not over: what was made is not there for others yet.
    assertThat(run.get(Tags.class)).isEmpty();
    run.next();
    assertThat(run.get(Tags.class)).contains(new Tags(List.of("ants", "dig")));
  }

  sealed interface Weighed {
    record Light(int kilos) implements Weighed {}

    record Heavy(int kilos) implements Weighed {}

    record Bulky(int kilos, int metres) implements Weighed {}
  }

  record Parcel(int kilos) {}

  record Price(int cents) {}

  @Test
  @Tag("P8")
  void either_continues_with_one_of_two_states() throws InterruptedException {
    var flow =
        Flow.named("ship", Parcel.class, Price.class)
            .either(
                Parcel.class,
                Weighed.Light.class,
                Weighed.Heavy.class,
                p ->
                    p.kilos() < 5
                        ? Either.left(new Weighed.Light(p.kilos()))
                        : Either.right(new Weighed.Heavy(p.kilos())))
            .map(Weighed.Light.class, Price.class, l -> new Price(500))
            .map(Weighed.Heavy.class, Price.class, h -> new Price(100 * h.kilos()))
            .build();
    assertThat(flow.run(new Parcel(2)).output()).isEqualTo(new Price(500));
    assertThat(flow.run(new Parcel(9)).output()).isEqualTo(new Price(900));
    assertThat(flow.warnings()).isEmpty();
  }

  @Test
  @Tag("P12")
  void choose_continues_with_one_case_of_a_sealed_interface() throws InterruptedException {
    var flow =
        Flow.named("ship", Parcel.class, Price.class)
            .choose(
                Parcel.class,
                Weighed.class,
                p ->
                    p.kilos() < 5
                        ? new Weighed.Light(p.kilos())
                        : p.kilos() < 50
                            ? new Weighed.Heavy(p.kilos())
                            : new Weighed.Bulky(p.kilos(), 3))
            .map(Weighed.Light.class, Price.class, l -> new Price(500))
            .map(Weighed.Heavy.class, Price.class, h -> new Price(100 * h.kilos()))
            .map(Weighed.Bulky.class, Price.class, b -> new Price(10_000 * b.metres()))
            .build();
    assertThat(flow.run(new Parcel(2)).output()).isEqualTo(new Price(500));
    assertThat(flow.run(new Parcel(9)).output()).isEqualTo(new Price(900));
    assertThat(flow.run(new Parcel(90)).output()).isEqualTo(new Price(30_000));
  }

  record One(int value) {}

  record Two(int value) {}

  record Three(int value) {}

  record Ones(One one, Two two, Three three) {}

  record Made(One a, Two b, Three c) {}

  @Test
  @Tag("P12")
  @Tag("W43")
  void a_split_into_many_is_merged_from_many() throws InterruptedException {
    record In(int value) {}
    record Out(int value) {}
    record Left(int value) {}
    record Middle(int value) {}
    record Right(int value) {}
    record Gathered(Left left, Middle middle, Right right) {}
    var flow =
        Flow.named("spread", In.class, Out.class)
            .split(
                In.class,
                Ones.class,
                in -> new Ones(new One(in.value()), new Two(in.value()), new Three(in.value())))
            .map(One.class, Left.class, x -> new Left(x.value() + 1))
            .map(Two.class, Middle.class, x -> new Middle(x.value() + 20))
            .map(Three.class, Right.class, x -> new Right(x.value() + 300))
            .merge(
                Gathered.class,
                Out.class,
                g -> new Out(g.left().value() + g.middle().value() + g.right().value()))
            .build();
    assertThat(flow.run(new In(1)).output()).isEqualTo(new Out(324));
    assertThat(stepwise(flow, new In(1))).containsExactly(new Out(324), 5);
  }

  record Batch(List<Integer> numbers) {}

  record Sum(int total) {}

  @Test
  @Tag("P12")
  void each_runs_a_flow_for_every_item_and_gathers_in_their_order() throws InterruptedException {
    record Item(int number) {}
    record Square(int number) {}
    record Squares(List<Integer> all) {}
    var square =
        Flow.of("square", Item.class, Square.class, (i, _) -> new Square(i.number() * i.number()));
    var flow =
        Flow.named("squares", Batch.class, Squares.class)
            .each(
                Batch.class,
                b -> b.numbers().stream().map(Item::new).toList(),
                square,
                Squares.class,
                (_, all) -> new Squares(all.stream().map(Square::number).toList()))
            .build();
    assertThat(flow.run(new Batch(List.of(3, 1, 2))).output())
        .isEqualTo(new Squares(List.of(9, 1, 4)));
    assertThat(flow.run(new Batch(List.of())).output()).isEqualTo(new Squares(List.of()));
    // Where it splits, each item, and where it gathers.
    assertThat(stepwise(flow, new Batch(List.of(3, 1, 2))))
        .containsExactly(new Squares(List.of(9, 1, 4)), 5);
  }

  record Count(int at) {}

  record More(int at) {}

  record Enough(int at) {}

  static Flow<Count, Enough> counting(int to, int loops) {
    return Flow.named("count", Count.class, Enough.class)
        .either(
            Count.class,
            More.class,
            Enough.class,
            c -> c.at() < to ? Either.left(new More(c.at())) : Either.right(new Enough(c.at())))
        .map(More.class, Count.class, m -> new Count(m.at() + 1))
        .loops(loops)
        .build();
  }

  @Test
  @Tag("W43")
  void a_loop_runs_up_to_its_limit() throws InterruptedException {
    assertThat(counting(4, 5).run(new Count(0)).output()).isEqualTo(new Enough(4));
    assertThat(stepwise(counting(4, 5), new Count(0))).containsExactly(new Enough(4), 9);
    assertThatThrownBy(() -> counting(5, 5).run(new Count(0)))
        .isInstanceOfSatisfying(
            FlowError.LoopLimit.class,
            e -> {
              assertThat(e.state()).isEqualTo("Count");
              assertThat(e.limit()).isEqualTo(5);
            });
  }

  @Test
  @Tag("P11")
  void a_nested_flow_has_its_steps_inside_the_prefix_of_its_entry() throws InterruptedException {
    record Doubled(int value) {}
    record Inner(int value) {}
    record Order(int value) {}
    record Invoice(int value) {}
    record Bill(int value) {}
    var innermost =
        Flow.named("innermost", Inner.class, Doubled.class)
            .map(Inner.class, One.class, i -> new One(i.value()))
            .map(One.class, Doubled.class, o -> new Doubled(2 * o.value()))
            .build();
    var middle =
        Flow.named("middle", Order.class, Invoice.class)
            .map(Order.class, Inner.class, o -> new Inner(o.value() + 1))
            .flow(innermost)
            .map(Doubled.class, Invoice.class, d -> new Invoice(d.value()))
            .build();
    var outer =
        Flow.named("outer", Order.class, Bill.class)
            .flow(middle)
            .map(Invoice.class, Bill.class, i -> new Bill(i.value()))
            .build();
    assertThat(outer.run(new Order(4)).output()).isEqualTo(new Bill(10));
    assertThat(outer.states())
        .extracting(StateType::key)
        .containsExactly(
            "Order", "Order::Inner", "Order::Inner::One", "Order::Doubled", "Invoice", "Bill");
  }

  @Test
  @Tag("P11")
  void choices_and_forks_of_a_nested_flow_are_renamed_too() throws InterruptedException {
    record Order(int value) {}
    record Shipped(int cents) {}
    var ship =
        Flow.named("ship", Parcel.class, Price.class)
            .choose(
                Parcel.class,
                Weighed.class,
                p -> p.kilos() < 5 ? new Weighed.Light(p.kilos()) : new Weighed.Heavy(p.kilos()))
            .map(Weighed.Light.class, Price.class, l -> new Price(500))
            .map(Weighed.Heavy.class, Price.class, h -> new Price(100 * h.kilos()))
            .map(Weighed.Bulky.class, Price.class, b -> new Price(10_000))
            .build();
    var flow =
        Flow.named("sell", Order.class, Shipped.class)
            .map(Order.class, Parcel.class, o -> new Parcel(o.value()))
            .flow(ship)
            .map(Price.class, Shipped.class, p -> new Shipped(p.cents()))
            .build();
    assertThat(flow.run(new Order(7)).output()).isEqualTo(new Shipped(700));
    var run = flow.start(new Order(7));
    run.next();
    run.next();
    assertThat(run.snapshot().states()).containsExactly("Parcel::Heavy");
  }

  @Test
  @Tag("P36")
  void steps_find_injected_values() throws InterruptedException {
    record Rate(int percent) {}
    var flow =
        Flow.of(
            "tax",
            Price.class,
            Sum.class,
            (price, context) ->
                new Sum(price.cents() * (100 + context.get(Rate.class).percent()) / 100));
    var given = flow.withInjected(ToolDependencies.none().and(Rate.class, new Rate(20)));
    assertThat(given.run(new Price(100)).output()).isEqualTo(new Sum(120));
    assertThatThrownBy(() -> flow.run(new Price(100)))
        .isInstanceOf(FlowError.StepError.class)
        .hasMessageContaining("Rate");
  }

  @Test
  @Tag("P20")
  @Tag("W42")
  void a_starved_join_is_reported_at_build_time_and_at_run_time() {
    record Good(int value) {}
    record Bad(int value) {}
    record In(int value) {}
    record Other(int value) {}
    record Out(int value) {}
    var builder =
        Flow.named("starving", In.class, Out.class)
            .fork(
                In.class,
                One.class,
                Two.class,
                i -> Both.of(new One(i.value()), new Two(i.value())))
            .either(
                One.class,
                Good.class,
                Bad.class,
                o -> o.value() > 0 ? Either.left(new Good(1)) : Either.right(new Bad(1)))
            .join(Good.class, Two.class, Out.class, (g, t) -> new Out(t.value()))
            .map(Bad.class, Out.class, b -> new Out(-1));
    var flow = builder.build();
    assertThat(flow.warnings())
        .containsExactly(
            new Problem(
                "starved", "if `One` becomes `Bad`, `Good and Two` waits for `Good` for ever"));
    assertThatThrownBy(() -> flow.run(new In(0)))
        .isInstanceOfSatisfying(
            FlowError.Deadlock.class, e -> assertThat(e.stuck()).containsExactly("Two"));
    assertThatThrownBy(() -> builder.strict().build()).isInstanceOf(FlowError.Invalid.class);
  }

  @Test
  void an_exception_of_a_step_names_its_state_and_the_next_call_retries_it()
      throws InterruptedException {
    var tries = new ArrayList<Integer>();
    var flow =
        Flow.of(
            "flaky",
            One.class,
            Two.class,
            (one, _) -> {
              tries.add(one.value());
              if (tries.size() == 1) throw new IllegalStateException("no network");
              return new Two(one.value());
            });
    var run = flow.start(new One(7));
    assertThatThrownBy(run::next)
        .isInstanceOfSatisfying(
            FlowError.StepError.class, e -> assertThat(e.state()).isEqualTo("One"))
        .hasMessageContaining("IllegalStateException: no network");
    assertThat(run.next()).isEqualTo(new Done<>(new Two(7)));
    assertThat(tries).containsExactly(7, 7);
  }

  @Test
  @Tag("P12")
  void a_flow_is_drawn_as_a_tree() {
    assertThat(PUBLISH.outline())
        .isEqualTo(
            """
            publish: Article -> Post
            └─ fork Article -> Topic & Draft
               ├─ work Topic -> Tags
               │  └─ join Summary & Tags -> Post
               │     └─ Post
               └─ map Draft -> Summary
                  └─ join Summary & Tags -> Post (above)
            """);
    assertThat(PUBLISH.graph().topology().mermaid()).contains("Summary and Tags");
  }
}
