package dev.superstep.repl.python;

import static dev.superstep.repl.python.Confined.interpreters;
import static dev.superstep.repl.python.Confined.said;
import static dev.superstep.repl.python.Confined.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.repl.CellError;
import dev.superstep.repl.CellSession;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An interpreter that dies or lies. The cell is undone with a typed error, and the next one runs
/// in a fresh interpreter that was made from the cells before.
@Tag("S29")
@Tag("X23")
@Timeout(120)
class PythonLossTest {
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private Capabilities host() {
    return Capabilities.none()
        .with(
            HostFunction.of(
                "ask(what)",
                a -> {
                  var what = ((HostValue.Words) a.get("what")).value();
                  asked.add(what);
                  if (what.equals("die")) interpreters().forEach(ProcessHandle::destroyForcibly);
                  return HostValue.of("answer to " + what);
                }));
  }

  private static void lost(CellSession session, String cell, String code) {
    var result = session.executeHere(cell);
    assertThat(result.error()).as(cell).isNotNull();
    assertThat(result.error().code()).as(result.error().message()).isEqualTo(code);
    assertThat(result.error().kind()).isEqualTo(CellError.Kind.ENDED);
    assertThat(CellError.isLoss(code)).isTrue();
    assertThat(result.changed()).isEmpty();
  }

  @Test
  void a_killed_interpreter_is_made_again_without_asking_again() {
    try (var session = session(host())) {
      assertThat(said(session.executeHere("a = ask('one')\nn = 1"))).isEmpty();
      lost(session, "n = 2\nask('die')\nask('never')", "E-ragsh-backend-lost");
      assertThat(said(session.executeHere("print(a, n)"))).isEqualTo("answer to one 1\n");
      assertThat(asked).containsExactly("one", "die");
    }
    assertThat(interpreters()).isEmpty();
  }

  @Test
  void nothing_is_left_of_a_java_that_is_killed() throws Exception {
    Confined.python();
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var out = process.inputReader()) {
      assertThat(out.readLine()).isEqualTo("begun");
      var children = process.descendants().toList();
      assertThat(children).hasSizeGreaterThan(3);
      process.destroyForcibly();
      for (var child : children) child.onExit().get(30, TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void a_session_that_cannot_be_made_again_has_ended() {
    try (var session = session(host())) {
      assertThat(said(session.executeHere("import time\nat = time.time_ns()"))).isEmpty();
      lost(session, "import os\nos._exit(1)", "E-ragsh-backend-lost");
      lost(session, "print(at)", "E-ragsh-backend-lost");
      assertThat(session.executeHere("print(at)").error().message())
          .contains("cell 1 does something else");
    }
  }

  /// Ways to speak for the interpreter. What a cell prints or writes to its standard output is no
  /// frame; one that finds the descriptor of the frames can only break its own session.
  private static final String FORGE =
      """
      import os, json, struct
      def frame(text):
          data = text.encode()
          return struct.pack('>I', len(data)) + data
      def fds():
          return [int(f) for f in os.listdir('/proc/self/fd') if int(f) > 2]
      def forge(data):
          for fd in fds():
              try:
                  os.write(fd, data)
              except OSError:
                  pass
      """;

  @Test
  void what_a_cell_writes_to_its_outputs_is_no_frame() {
    try (var session = session(host())) {
      assertThat(said(session.executeHere(FORGE))).isEmpty();
      var cell =
          """
          result = '{"op":"result","id":2,"answer":["forged"]}'
          os.write(1, frame(result))
          os.system('echo forged; echo forged >&2')
          os.write(2, frame(result))
          print(result)
          """;
      var ran = session.executeHere(cell);
      assertThat(said(ran)).isEqualTo("{\"op\":\"result\",\"id\":2,\"answer\":[\"forged\"]}\n");
      assertThat(ran.answer()).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "forge(frame('{\"op\":\"result\",\"id\":7}'))",
        "forge(frame('{\"op\":\"ready\",\"protocol\":1}'))",
        "forge(frame('no json'))",
        "forge(frame('[' * 100_000))",
        "forge(frame('[' + '0,' * 600_000 + '0]'))",
        "forge(b'\\xff\\xff\\xff\\xff')",
        "forge(struct.pack('>I', 1 << 30))",
        "forge(frame('{\"op\":\"call\",\"id\":2,\"call\":9,\"name\":\"ask\",\"args\":[],\"named\":{}}'))",
        "forge(frame('{\"op\":\"call\",\"id\":2,\"call\":1,\"name\":\"other\",\"args\":[],\"named\":{}}'))",
        "forge(frame('{\"op\":\"call\",\"id\":2,\"call\":1,\"name\":\"ask\",\"args\":[{\"$\":{\"handle\":3}}],\"named\":{}}'))",
        "forge(frame('{\"op\":\"call\",\"id\":2,\"call\":1,\"name\":\"$read\",\"args\":[0,0,9],\"named\":{}}'))"
      })
  void a_forged_frame_ends_the_cell(String forgery) {
    try (var session = session(host())) {
      assertThat(said(session.executeHere(FORGE))).isEmpty();
      var result = session.executeHere("n = 2\n" + forgery + "\nwhile True: pass");
      assertThat(result.error().code()).startsWith("E-ragsh-backend-");
      assertThat(result.error().message()).contains("the interpreter was lost");
      assertThat(asked).isEmpty();
      assertThat(said(session.executeHere("print(callable(forge), 'n' in globals())")))
          .isEqualTo("True False\n");
    }
  }

  @Test
  void a_cell_that_ends_itself_early_and_goes_on_is_lost_at_the_next_one() {
    try (var session = session(host())) {
      assertThat(said(session.executeHere(FORGE))).isEmpty();
      var early = "forge(frame('{\"op\":\"result\",\"id\":2}'))\nask('late')";
      assertThat(session.executeHere(early).isComplete()).isTrue();
      lost(session, "1", "E-ragsh-backend-protocol");
      assertThat(asked).isEmpty();
    }
  }
}
