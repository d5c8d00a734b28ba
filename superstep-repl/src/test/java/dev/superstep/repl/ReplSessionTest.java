package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReplSessionTest {
  private static ReplSession open() {
    return ReplSession.open(ReplPolicy.standard(), Capabilities.none());
  }

  private static ReplSession open(Capabilities host) {
    return ReplSession.open(ReplPolicy.standard(), host);
  }

  private static String shown(CellResult result) {
    var value = result.value();
    return value == null ? String.valueOf(result.error()) : value.text();
  }

  // --- variables ---

  @Test
  void variables_stay_over_cells() {
    var session = open();
    session.execute("x = [1, 2]\ndef twice(n): return 2 * n");
    assertThat(shown(session.execute("[twice(n) for n in x]"))).isEqualTo("[2, 4]");
  }

  @Test
  void variables_set_before_a_failure_stay_as_they_were_set() {
    var session = open();
    var failed = session.execute("a = 1\nb = [a]\nb.append(1 / 0)\na = 2");
    assertThat(failed.error().type()).isEqualTo("ZeroDivisionError");
    assertThat(failed.changed()).extracting(CellResult.Variable::name).containsExactly("a", "b");
    assertThat(shown(session.execute("a, b"))).isEqualTo("(1, [1])");
  }

  @Test
  void variables_set_before_a_limit_stay_too() {
    var session = open();
    assertThat(session.execute("n = 0\nwhile True: n += 1").error().code())
        .isEqualTo("E-ragsh-operation-limit");
    assertThat(shown(session.execute("n > 1000"))).isEqualTo("True");
  }

  @Test
  void a_result_tells_which_variables_changed_also_in_place() {
    var session = open();
    session.execute("a = [1]; b = 'text'; c = 1");
    var result = session.execute("a.append(2); c = 1; del b; d = 3");
    assertThat(result.changed())
        .extracting(CellResult.Variable::name, CellResult.Variable::type, CellResult.Variable::size)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("a", "list", 2L),
            org.assertj.core.groups.Tuple.tuple("d", "int", 0L),
            org.assertj.core.groups.Tuple.tuple("b", "", 0L));
  }

  @Test
  @Tag("S27")
  void a_cell_with_a_finding_does_nothing_at_all() {
    var session = open();
    var result = session.execute("print('seen')\nx = 1\nundefined_name");
    assertThat(result.error().kind()).isEqualTo(CellError.Kind.REJECTED);
    assertThat(result.output().length()).isZero();
    assertThat(session.variables()).isEmpty();
  }

  @Test
  @Tag("S27")
  void several_errors_are_found_at_once() {
    var codes =
        open().execute("class A: pass\nx = = 1\nimport os\nprint(1)").diagnostics().stream()
            .map(d -> d.code())
            .toList();
    assertThat(codes)
        .containsExactly("E-ragsh-unsupported", "E-ragsh-syntax", "E-ragsh-unsupported");
  }

  // --- what ends a cell ---

  @Test
  void what_ends_a_cell_passes_by_except_and_finally() {
    var session = open();
    var result =
        session.execute(
            """
            seen = []
            try:
                try:
                    while True: pass
                except Exception:
                    seen.append("except")
                finally:
                    seen.append("finally")
            except:
                seen.append("bare")
            """);
    assertThat(result.error().code()).isEqualTo("E-ragsh-operation-limit");
    assertThat(shown(session.execute("seen"))).isEqualTo("[]");
  }

  @Test
  void deep_calls_end_by_the_depth_and_not_by_the_stack() {
    var session = ReplSession.open(ReplPolicy.standard().withDepth(1_000), Capabilities.none());
    var nested = "(".repeat(40) + "f(n + 1)" + " + 1)".repeat(40);
    var result = session.execute("def f(n):\n    return " + nested + "\nf(0)");
    assertThat(result.error().code()).isEqualTo("E-ragsh-recursion-limit");
    assertThat(shown(session.execute("1"))).isEqualTo("1");
  }

  @Test
  void a_cell_without_time_left_ends() {
    var policy =
        ReplPolicy.standard()
            .withOperations(Long.MAX_VALUE / 2)
            .withCellTime(Duration.ofMillis(50));
    var session = ReplSession.open(policy, Capabilities.none());
    assertThat(session.execute("while True: pass").error().code()).isEqualTo("E-ragsh-timeout");
    assertThat(shown(session.execute("1"))).isEqualTo("1");
  }

  @Test
  void a_call_of_the_host_is_interrupted_when_the_time_is_over() {
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "wait()",
                    a -> {
                      new CountDownLatch(1).await();
                      return HostValue.NOTHING;
                    }));
    var policy = ReplPolicy.standard().withCellTime(Duration.ofMillis(50));
    var result = ReplSession.open(policy, host).execute("try:\n    wait()\nexcept Exception: pass");
    assertThat(result.error().code()).isEqualTo("E-ragsh-timeout");
  }

  @Test
  @Tag("S19")
  void a_cancel_is_seen_in_a_cell_and_before_the_next_until_it_is_taken_back() throws Exception {
    var began = new CountDownLatch(1);
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "begin()",
                    a -> {
                      began.countDown();
                      return HostValue.NOTHING;
                    }));
    var policy = ReplPolicy.standard().withOperations(Long.MAX_VALUE / 2);
    var session = ReplSession.open(policy, host);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = executor.submit(() -> session.execute("x = 5\nbegin()\nwhile True: pass"));
      began.await();
      session.cancel();
      assertThat(running.get().error().code()).isEqualTo("E-ragsh-cancelled");
    }
    assertThat(session.execute("1").error().code()).isEqualTo("E-ragsh-cancelled");
    session.resume();
    assertThat(shown(session.execute("x"))).isEqualTo("5");
  }

  @Test
  void a_call_of_the_host_is_cancelled_in_the_middle() throws Exception {
    var began = new CountDownLatch(1);
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "wait()",
                    a -> {
                      began.countDown();
                      new CountDownLatch(1).await();
                      return HostValue.NOTHING;
                    }));
    var session = open(host);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = executor.submit(() -> session.execute("wait()"));
      began.await();
      session.cancel();
      assertThat(running.get().error().code()).isEqualTo("E-ragsh-cancelled");
    }
  }

  @Test
  void an_argument_may_have_the_name_of_a_parameter_that_has_a_place_alone() {
    var host =
        Capabilities.none()
            .with(HostFunction.of("tool(name, /, **arguments)", a -> HostValue.of(a.toString())));
    assertThat(shown(open(host).execute("tool('look_up', name='Oslo')")))
        .contains("look_up")
        .contains("Oslo");
    assertThat(open(host).execute("tool(name='Oslo')").diagnostics().getFirst().message())
        .contains("missing 1 required positional argument: 'name'");
  }

  // --- output ---

  @Test
  @Tag("S19")
  void output_is_cut_between_head_and_tail_and_never_inside_a_character() {
    var session =
        ReplSession.open(ReplPolicy.standard().withOutput(10, 1_000), Capabilities.none());
    var output = session.execute("print('😀' * 100, end='')").output();
    assertThat(output.length()).isEqualTo(100);
    assertThat(output.shown())
        .isEqualTo("😀😀😀😀😀\n[... 90 characters left out ...]\n😀😀😀😀😀");
  }

  @Test
  @Tag("S19")
  void the_limit_of_output_ends_the_cell_while_it_prints() {
    var session =
        ReplSession.open(ReplPolicy.standard().withOutput(10, 1_000), Capabilities.none());
    var result = session.execute("for i in range(1000):\n    n = i\n    print('x' * 99)");
    assertThat(result.error().code()).isEqualTo("E-ragsh-output-limit");
    assertThat(result.output().length()).isEqualTo(1_000);
    assertThat(shown(session.execute("n"))).isEqualTo("10");
  }

  // --- the host ---

  @Test
  @Tag("S6")
  void values_cross_the_boundary_and_come_back() {
    var seen = new ArrayList<Map<String, HostValue>>();
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "echo(value, *more, **named)",
                    a -> {
                      seen.add(a);
                      return a.get("value");
                    }));
    var session = open(host);
    var data = "{'a': [1, 2.5, None, True, 'ü'], 'b': {'c': 10 ** 30}}";
    assertThat(shown(session.execute("echo(" + data + ", 1, 2, z=3)")))
        .isEqualTo(data.replace("10 ** 30", "1" + "0".repeat(30)));
    assertThat(seen.getFirst().get("more"))
        .isEqualTo(new HostValue.Items(List.of(HostValue.of(1), HostValue.of(2))));
    assertThat(seen.getFirst().get("named"))
        .isEqualTo(new HostValue.Entries(Map.of("z", HostValue.of(3))));
  }

  @Test
  @Tag("S6")
  void what_is_no_data_does_not_cross() {
    var session =
        open(Capabilities.none().with(HostFunction.of("take(value)", a -> HostValue.NOTHING)));
    assertThat(session.execute("take(len)").error().message()).startsWith("unsupported value type");
    assertThat(session.execute("take({1: 2})").error().message())
        .startsWith("unsupported value type");
    assertThat(session.execute("x = []\nx.append(x)\ntake(x)").error().code())
        .isEqualTo("E-ragsh-recursion-limit");
  }

  @Test
  void a_handle_comes_back_as_the_same_thing_and_shows_nothing() {
    var target = new Object();
    var back = new ArrayList<HostValue>();
    var host =
        Capabilities.none()
            .with("graph", new HostValue.Handle("Graph", "desk", target))
            .with(
                HostFunction.of(
                    "run(graph)",
                    a -> {
                      back.add(a.get("graph"));
                      return HostValue.NOTHING;
                    }));
    var session = open(host);
    assertThat(shown(session.execute("run(graph)\nrepr(graph)"))).isEqualTo("'<Graph desk>'");
    assertThat(((HostValue.Handle) back.getFirst()).target()).isSameAs(target);
  }

  @Test
  void an_error_of_the_host_can_be_caught_unless_it_ends_the_cell() {
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "soft()",
                    a -> {
                      throw HostFailure.catchable("tool-error", "no luck");
                    }))
            .with(
                HostFunction.of(
                    "hard()",
                    a -> {
                      throw HostFailure.fatal("call-limit", "64 calls");
                    }))
            .with(
                HostFunction.of(
                    "broken()",
                    a -> {
                      throw new IllegalStateException("a secret");
                    }));
    var session = open(host);
    assertThat(
            shown(
                session.execute(
                    "try:\n    soft()\nexcept HostError as e:\n    r = e.code, str(e)\nr")))
        .isEqualTo("('tool-error', 'no luck')");
    assertThat(session.execute("try:\n    hard()\nexcept Exception: pass").error().code())
        .isEqualTo("E-ragsh-call-limit");
    assertThat(session.execute("broken()").error().message())
        .isEqualTo("broken() failed in the host");
  }

  @Test
  void an_item_of_a_batch_is_a_result() {
    var batch =
        new HostValue.Items(
            List.of(
                new HostValue.Outcome(true, HostValue.of("yes"), ""),
                new HostValue.Outcome(false, HostValue.NOTHING, "no")));
    var session = open(Capabilities.none().with(HostFunction.of("batch(prompts)", a -> batch)));
    assertThat(shown(session.execute("[(r.ok, r.value, r.error) for r in batch(['a', 'b'])]")))
        .isEqualTo("[(True, 'yes', None), (False, None, 'no')]");
  }

  @Test
  void arguments_of_host_functions_are_checked_before_anything_runs() {
    var calls = new ArrayList<String>();
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "tool(name, *, limit=)",
                    a -> {
                      calls.add("called");
                      return HostValue.NOTHING;
                    }));
    var session = open(host);
    var result = session.execute("tool('a')\ntool('a', limt=1)\ntool()");
    assertThat(result.diagnostics())
        .extracting(d -> d.code())
        .containsExactly("E-ragsh-arguments", "E-ragsh-arguments");
    assertThat(calls).isEmpty();
  }

  @Test
  void reserved_names_are_refused_before_the_cell_runs() {
    var session = open(Capabilities.none().with("context", HostValue.of("text")));
    assertThat(session.execute("print(1)\ncontext = 2").diagnostics().getFirst().code())
        .isEqualTo("E-ragsh-reserved-name");
    assertThat(shown(session.execute("def f(context): return context\nf(1), context")))
        .isEqualTo("(1, 'text')");
  }

  @Test
  @Tag("S15")
  void the_first_answer_of_a_cell_counts() {
    var session = open();
    assertThat(session.execute("answer({'n': 1})\nanswer(2)").answer())
        .isEqualTo(new HostValue.Entries(Map.of("n", HostValue.of(1))));
    assertThat(session.execute("1").answer()).isNull();
    assertThat(session.execute("x = 'long'\nFINAL_VAR('x')").answer())
        .isEqualTo(HostValue.of("long"));
  }

  @Test
  void chance_is_there_only_if_it_is_granted_and_repeats() {
    assertThat(open().execute("rand()").error().code()).isEqualTo("E-ragsh-unknown-name");
    var once = shown(open(Capabilities.none().withSeed(7)).execute("[rand() for i in range(3)]"));
    assertThat(shown(open(Capabilities.none().withSeed(7)).execute("[rand() for i in range(3)]")))
        .isEqualTo(once);
  }

  @Test
  @Tag("S19")
  void memory_is_what_is_alive_so_that_a_long_cell_can_make_much_and_keep_little() {
    var policy = ReplPolicy.standard().withMemory(4 << 20);
    var session = ReplSession.open(policy, Capabilities.none());
    assertThat(session.execute("for i in range(200): x = 'y' * 500000").error()).isNull();
    assertThat(session.execute("k = ['y' * 500000 + str(i) for i in range(200)]").error().code())
        .isEqualTo("E-ragsh-memory-limit");
    assertThat(session.execute("x = 0").used().memoryBytes()).isLessThan(1 << 20);
  }

  // --- large texts ---

  @Test
  void a_document_is_searched_and_cut_without_being_copied() {
    var text = "alpha\nbeta 😀\ngamma\n".repeat(20_000);
    var session =
        open(Capabilities.none().with("context", new HostValue.Document(TextSource.of(text))));
    assertThat(
            shown(
                session.execute(
                    "len(context), context.find('gamma'), context.count('beta'),"
                        + " str(context[6:12])")))
        .isEqualTo("(380000, 13, 20000, 'beta 😀')");
    assertThat(shown(session.execute("[str(c) for c in context.chunks(5, overlap=2)][:3]")))
        .isEqualTo("['alpha', 'ha\\nbe', 'beta ']");
    assertThat(shown(session.execute("context.grep('^ga', before=1, limit=1)")))
        .isEqualTo(
            "[{'number': 3, 'position': 13, 'line': 'gamma', 'before': ['beta 😀'], 'after': []}]");
    assertThat(
            shown(
                session.execute(
                    "sum(1 for line in context.lines() if line == 'alpha'), 'nowhere' in context,"
                        + " context[3]")))
        .isEqualTo("(20000, False, 'h')");
  }
}
