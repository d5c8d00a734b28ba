package dev.superstep.repl.python;

import static dev.superstep.repl.python.Confined.interpreters;
import static dev.superstep.repl.python.Confined.said;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxProbe;
import dev.superstep.sandbox.Tier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Cells in Python that try to reach what they were not given. Python itself refuses nothing of
/// this: the sandbox does.
@Tag("S29")
@Tag("W16")
@Timeout(180)
class PythonEscapesTest {
  private static final String SECRET = "superstep-secret-4f1a";

  @TempDir Path folder;

  private static CellSession session() {
    return Confined.session(Capabilities.none());
  }

  /// Runs what must not succeed. A function of C fails by -1, which divides by zero here.
  private static String refused(CellSession session, String attempt) {
    var cell =
        "try:\n    print('reached', %s)\nexcept BaseException as e:\n    print('refused', type(e).__name__)"
            .formatted(attempt);
    return said(session.executeHere(cell)).strip();
  }

  @Test
  void files_outside_are_not_there_and_nothing_can_be_written_but_in_private_memory()
      throws IOException {
    var secret = Files.writeString(folder.resolve("secret"), SECRET).toRealPath();
    try (var session = session()) {
      assertThat(said(session.executeHere("import os, glob, ctypes, subprocess"))).isEmpty();
      for (var attempt :
          List.of(
              "open('%s').read()".formatted(secret),
              "open('%s', 'w').write('x')".formatted(secret),
              "open('/proc/1/root%s').read()".formatted(secret),
              "open('/proc/self/cwd/../%s').read()".formatted(secret),
              "open('/etc/shadow').read()",
              "open('/etc/passwd', 'a').write('x')",
              "open('/usr/lib/x', 'w')",
              "os.listdir('/root')",
              "os.symlink('%s', '/tmp/l') or open('/tmp/l').read()".formatted(secret),
              "os.link('%s', '/tmp/h')".formatted(secret),
              "os.chmod('/usr/bin/env', 0o777)",
              "os.chroot('/tmp')",
              "os.mknod('/tmp/sda', 0o60600, os.makedev(8, 0))",
              "os.setuid(0) or open('/etc/shadow').read()")) {
        assertThat(refused(session, attempt)).as(attempt).startsWith("refused");
      }
      assertThat(
              said(
                  session.executeHere(
                      "print(subprocess.run(['cat', '%s'], capture_output=True).returncode)"
                          .formatted(secret))))
          .isNotEqualTo("0\n");
      assertThat(said(session.executeHere("open('/tmp/own', 'w').write('x')"))).isEmpty();
      assertThat(said(session.executeHere("print(sorted(os.environ))")))
          .isEqualTo("['HOME', 'LANG', 'PATH', 'PWD', 'PYTHONHASHSEED', 'PYTHONUTF8', 'TMPDIR']\n");
    }
    assertThat(secret).hasContent(SECRET);
    assertThat(Files.exists(Path.of("/tmp/own"))).isFalse();
  }

  @Test
  void there_is_no_network() throws IOException {
    try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var session = session()) {
      assertThat(said(session.executeHere("import socket, urllib.request"))).isEmpty();
      var here = listener.getLocalPort();
      for (var attempt :
          List.of(
              "socket.create_connection(('127.0.0.1', %d), 2)".formatted(here),
              "socket.create_connection(('::ffff:127.0.0.1', %d), 2)".formatted(here),
              "socket.create_connection(('1.1.1.1', 53), 2)",
              "socket.getaddrinfo('example.com', 80)",
              "urllib.request.urlopen('http://127.0.0.1:%d/', timeout=2)".formatted(here),
              "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
              "socket.socket(40, socket.SOCK_STREAM)")) {
        assertThat(refused(session, attempt)).as(attempt).startsWith("refused");
      }
      listener.setSoTimeout(200);
      assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void other_processes_are_neither_seen_nor_reached() {
    long host = ProcessHandle.current().pid();
    try (var session = session()) {
      assertThat(said(session.executeHere("import os, signal, ctypes\nlibc = ctypes.CDLL(None)")))
          .isEmpty();
      var pids =
          said(session.executeHere("print(len([p for p in os.listdir('/proc') if p.isdigit()]))"));
      assertThat(Integer.parseInt(pids.strip())).isLessThan(8);
      for (var attempt :
          List.of(
              "os.kill(%d, 9)".formatted(host),
              "open('/proc/%d/environ').read()".formatted(host),
              "open('/proc/%d/mem', 'rb').read(1)".formatted(host),
              "1 // (1 + libc.kill(%d, 9))".formatted(host),
              "1 // (1 + libc.ptrace(16, %d, 0, 0))".formatted(host),
              "1 // (1 + libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))",
              "1 // (1 + libc.unshare(0x10000000))",
              "1 // (1 + libc.setns(0, 0))",
              "1 // (1 + libc.chroot(b'/tmp'))")) {
        assertThat(refused(session, attempt)).as(attempt).startsWith("refused");
      }
    }
    assertThat(ProcessHandle.current().isAlive()).isTrue();
  }

  @Test
  void a_fork_bomb_is_capped_and_gone() {
    var python = Confined.python();
    var policy = ReplPolicy.standard().withCellTime(Duration.ofSeconds(2));
    try (var session = python.open(policy, Capabilities.none())) {
      var bomb =
          """
          import os
          while True:
              try:
                  os.fork()
              except BaseException:
                  pass
          """;
      var most = new ArrayList<Integer>();
      var counting =
          Thread.ofPlatform()
              .start(() -> {
                while (!Thread.currentThread().isInterrupted()) most.add(interpreters().size());
              });
      var ended = session.executeHere(bomb);
      counting.interrupt();
      assertThat(ended.error()).isNotNull();
      assertThat(interpreters()).isEmpty();
      var report = Sandbox.open().machine().of(Tier.BUBBLEWRAP);
      System.out.println("processes of the bomb at most: " + most.stream().max(Integer::compare));
      assertThat(most).as(report.toString()).allMatch(count -> count <= 16);
      assertThat(said(session.executeHere("print('on')"))).isEqualTo("on\n");
    }
  }

  @Test
  void without_the_tier_python_is_refused_and_nothing_is_started() {
    var missing = List.of("there is no bwrap");
    var reports = new ArrayList<SandboxProbe.TierReport>();
    for (var tier : Tier.values()) {
      boolean isHeld = tier != Tier.BUBBLEWRAP;
      reports.add(
          new SandboxProbe.TierReport(
              tier, isHeld, List.of(), List.of(), List.of(), isHeld ? List.of() : missing));
    }
    var without = Sandbox.open(new SandboxProbe("Linux", reports));
    assertThatThrownBy(() -> PythonBackend.sandboxed(without))
        .isInstanceOfSatisfying(
            PythonUnavailable.class,
            e -> {
              assertThat(e.missing()).isEqualTo(missing);
              assertThat(e.code()).isEqualTo("repl.python-unavailable");
              assertThat(e).hasMessageContaining("Install bubblewrap");
            });
    assertThatThrownBy(() -> PythonBackend.sandboxed(Sandbox.processesOnly()))
        .isInstanceOf(PythonUnavailable.class);
    assertThat(interpreters()).isEmpty();
  }
}
