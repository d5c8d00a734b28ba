package dev.superstep.repl.python;

import static dev.superstep.repl.python.Confined.said;
import static dev.superstep.repl.python.Confined.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.repl.CellError;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.host.TextSource;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Cells of a session that run in a Python of their own.
@Tag("S29")
@Timeout(120)
class PythonSessionTest {
  @Test
  void variables_stay_from_cell_to_cell_also_after_an_error() {
    try (var session = session(Capabilities.none())) {
      assertThat(said(session.executeHere("import os\nxs = [1, 2]\nprint(len(xs))")))
          .isEqualTo("2\n");
      var failed = session.executeHere("xs.append(3)\ny = 1 // 0");
      assertThat(failed.changed())
          .extracting(v -> v.name() + " " + v.size())
          .containsExactly("xs 3");
      var last = session.executeHere("xs");
      assertThat(last.value().text()).isEqualTo("[1, 2, 3]");
      assertThat(session.variables())
          .extracting(v -> v.name() + " " + v.type())
          .containsExactlyInAnyOrder("os module", "xs list");
    }
  }

  @Test
  void an_error_tells_its_line_also_in_a_function_of_an_earlier_cell() {
    try (var session = session(Capabilities.none())) {
      var _ = session.executeHere("def half(x):\n    return x / 0");
      var source = "a = 1\nb = half(a)";
      var error = session.executeHere(source).error();
      assertThat(error.kind()).isEqualTo(CellError.Kind.RAISED);
      assertThat(error.code()).isEqualTo("E-ragsh-raised");
      assertThat(error.places())
          .extracting(p -> p.cell().name() + ":" + p.function() + ":" + p.cell().text(p.span()))
          .containsExactly("cell 1:half:x / 0", "cell 2::half(a)");
      var syntax = session.executeHere("a = 1\nb = = 2");
      assertThat(syntax.error().kind()).isEqualTo(CellError.Kind.REJECTED);
      assertThat(syntax.diagnostics().getFirst().code()).isEqualTo("E-ragsh-syntax");
    }
  }

  @Test
  void a_reserved_name_cannot_be_bound_and_is_there_again_if_it_was_by_a_trick() {
    try (var session = session(Capabilities.none().with("context", HostValue.of("text")))) {
      var bound = session.executeHere("x = 1\ndef answer(v): pass");
      assertThat(bound.error().code()).isEqualTo("E-ragsh-reserved-name");
      assertThat(bound.changed()).isEmpty();
      assertThat(session.executeHere("globals()['context'] = 'gone'").isComplete()).isTrue();
      assertThat(session.executeHere("answer(context)").answer()).isEqualTo(HostValue.of("text"));
    }
  }

  @Test
  void values_cross_in_both_directions_as_data() {
    var got = new ArrayList<HostValue>();
    var echo =
        HostFunction.of(
            "echo(value, *, more=)",
            a -> {
              got.add(a.get("value"));
              return a.get("value");
            });
    try (var session = session(Capabilities.none().with(echo))) {
      var cell =
          """
          values = [None, True, 1, 2**70, -2**80, 1.5, float('inf'), 'ä\\U0001f600', {'a': [1], '$': 2}, (1, 2), range(3)]
          back = [echo(v) for v in values]
          print(back == values[:9] + [[1, 2], [0, 1, 2]])
          try:
              echo(object())
          except TypeError as e:
              print(e)
          try:
              echo(1, fewer=2)
          except TypeError as e:
              print(e)
          """;
      assertThat(said(session.executeHere(cell)))
          .isEqualTo(
              "True\nunsupported value type: a object cannot be given to the host\n"
                  + "echo() got an unexpected keyword argument 'fewer'\n");
      assertThat(got)
          .contains(new HostValue.Whole(BigInteger.TWO.pow(70)), HostValue.of("ä\uD83D\uDE00"));
    }
  }

  @Test
  void an_error_of_a_call_can_be_caught_and_what_the_host_gives_is_kept_as_it_is() {
    var host =
        Capabilities.none()
            .with(
                HostFunction.of(
                    "ask(x)",
                    _ -> {
                      throw HostFailure.catchable("tool-error", "no luck");
                    }))
            .with(HostFunction.of("make()", _ -> new HostValue.Handle("graph", "g1", List.of(1))))
            .with(
                HostFunction.of(
                    "use(graph)",
                    a -> HostValue.of(((HostValue.Handle) a.get("graph")).target().toString())))
            .with(
                HostFunction.of(
                    "many()",
                    _ ->
                        new HostValue.Items(
                            List.of(
                                new HostValue.Outcome(true, HostValue.of(4), ""),
                                new HostValue.Outcome(false, HostValue.NOTHING, "late")))));
    try (var session = session(host)) {
      var cell =
          """
          try:
              ask(1)
          except HostError as e:
              print(e.code, e)
          g = make()
          print(g, use(g), [r.value if r.ok else r.error for r in many()])
          """;
      assertThat(said(session.executeHere(cell)))
          .isEqualTo("tool-error no luck\n<graph g1> [1] [4, 'late']\n");
      var error = session.executeHere("ask(2)").error();
      assertThat(error.code()).isEqualTo("E-ragsh-tool-error");
      assertThat(error.type()).isEqualTo("HostError");
      var invented = session.executeHere("raise HostError('x', 'backend-lost')").error();
      assertThat(invented.code()).isEqualTo("E-ragsh-raised");
    }
  }

  @Test
  void a_large_text_is_read_by_pieces_when_it_is_needed() {
    var longest = new AtomicLong();
    var read = new AtomicLong();
    long length = 1L << 33;
    var source =
        new TextSource() {
          @Override
          public long length() {
            return length;
          }

          @Override
          public String read(long from, long to) {
            longest.accumulateAndGet(to - from, Math::max);
            read.addAndGet(to - from);
            return "x".repeat((int) (to - from));
          }
        };
    try (var session =
        session(Capabilities.none().with("context", new HostValue.Document(source)))) {
      var cell =
          "part = context[5_000_000_000:]\n"
              + "print(len(part), part[10:13] == 'xxx', part.head(4), repr(part))";
      assertThat(said(session.executeHere(cell)))
          .isEqualTo("3589934592 True xxxx <Text of 3589934592 characters>\n");
      assertThat(read.get()).isEqualTo(7);
      assertThat(session.executeHere("part[:200_000].count('xx')").value().text())
          .isEqualTo("100000");
      assertThat(longest.get()).isLessThanOrEqualTo(1 << 16);
    }
  }

  @Test
  void chance_and_budget_are_the_hosts() {
    var host = Capabilities.none().withSeed(7).withBudget(() -> Map.of("model_calls", 3L));
    String first;
    try (var session = session(host)) {
      first = said(session.executeHere("print(rand(), budget())"));
      assertThat(first).endsWith("{'model_calls': 3}\n");
    }
    try (var session = session(host)) {
      assertThat(said(session.executeHere("print(rand(), budget())"))).isEqualTo(first);
    }
  }
}
