package dev.superstep.sandbox;

import java.util.List;
import java.util.Map;

/// The end of a relay inside of a namespace without network: a program there that listens on its
/// loopback address and passes bytes on to the socket of the relay. The interpreters of the system
/// are used, since nothing else that could do so is sure to be there.
final class RelayBridge {
  static final String PORT = "3128";
  private static final String SOCKET = "/run/superstep/relay";

  private RelayBridge() {}

  /// Variables that tell programs to use the relay, unless they are set.
  static Map<String, String> variables(Map<String, String> set) {
    var all = new java.util.TreeMap<String, String>();
    for (var name :
        List.of("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")) {
      if (!set.containsKey(name)) all.put(name, "http://127.0.0.1:" + PORT);
    }
    return all;
  }

  /// Words that make the socket visible inside.
  static List<String> binds(NetworkRelay relay) {
    return List.of("--ro-bind", relay.socket().toString(), SOCKET);
  }

  /// Words of a program that starts the bridge and then becomes the command after it.
  static List<String> words(Machine machine) {
    var perl = machine.programs().perl();
    if (perl != null) return List.of(perl.toString(), "-e", PERL, PORT, SOCKET);
    var python = machine.programs().python();
    if (python != null) return List.of(python.toString(), "-I", "-c", PYTHON, PORT, SOCKET);
    throw new SandboxError.TierUnavailable(Tier.BUBBLEWRAP, List.of(missing()));
  }

  static boolean isAvailable(Machine machine) {
    return machine.programs().perl() != null || machine.programs().python() != null;
  }

  static String missing() {
    return "a network needs perl or python3 in /usr/bin, for the bridge to the relay";
  }

  private static final String PERL =
      """
      use strict; use Socket;
      my ($port, $path) = (shift, shift);
      socket(my $l, PF_INET, SOCK_STREAM, 0) or die "bridge: $!";
      setsockopt($l, SOL_SOCKET, SO_REUSEADDR, 1);
      bind($l, sockaddr_in($port, INADDR_LOOPBACK)) or die "bridge: $!";
      listen($l, 64) or die "bridge: $!";
      my $pid = fork(); die "bridge: $!" unless defined $pid;
      if ($pid) { close $l; exec { $ARGV[0] } @ARGV or die "bridge: $ARGV[0]: $!\\n"; }
      open STDIN, '<', '/dev/null'; open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
      $SIG{PIPE} = 'IGNORE'; my (%peer, %fh, %half);
      my $end = sub { my $f = shift; my $p = delete $peer{$f}; my $o = $p ? fileno $p : undef;
        close $fh{$f} if $fh{$f}; delete $fh{$f};
        if (defined $o) { delete $peer{$o}; close $p; delete $fh{$o}; delete $half{$o}; } delete $half{$f}; };
      while (1) {
        my $r = ''; vec($r, fileno $l, 1) = 1;
        for (keys %fh) { vec($r, $_, 1) = 1 unless $half{$_}; }
        next if select($r, undef, undef, undef) < 0;
        if (vec($r, fileno $l, 1) && accept(my $c, $l)) {
          if (socket(my $u, PF_UNIX, SOCK_STREAM, 0) && connect($u, sockaddr_un($path))) {
            $peer{fileno $c} = $u; $peer{fileno $u} = $c; $fh{fileno $c} = $c; $fh{fileno $u} = $u;
          }
        }
        for my $f (keys %fh) {
          next unless $fh{$f} && vec($r, $f, 1);
          my $n = sysread $fh{$f}, my $data, 65536;
          if (!defined $n) { $end->($f); next; }
          if ($n == 0) { $half{$f} = 1; shutdown $peer{$f}, 1;
            $end->($f) if $half{fileno $peer{$f}}; next; }
          my $at = 0;
          while ($at < $n) { my $w = syswrite $peer{$f}, $data, $n - $at, $at;
            if (!$w) { $end->($f); last; } $at += $w; }
        }
      }
      """;

  private static final String PYTHON =
      """
      import os, socket, sys, threading
      port, path, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
      listener = socket.socket()
      listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
      listener.bind(('127.0.0.1', port))
      listener.listen(64)
      if os.fork():
          os.execv(words[0], words)
      null = os.open('/dev/null', os.O_RDWR)
      for fd in (0, 1, 2):
          os.dup2(null, fd)
      def copy(a, b):
          try:
              while True:
                  data = a.recv(65536)
                  if not data:
                      break
                  b.sendall(data)
              b.shutdown(socket.SHUT_WR)
          except OSError:
              for s in (a, b):
                  try:
                      s.shutdown(socket.SHUT_RDWR)
                  except OSError:
                      pass
      def serve(inner):
          try:
              with inner, socket.socket(socket.AF_UNIX) as outer:
                  outer.connect(path)
                  other = threading.Thread(target=copy, args=(outer, inner), daemon=True)
                  other.start()
                  copy(inner, outer)
                  other.join()
          except OSError:
              pass
      while True:
          inner, _ = listener.accept()
          threading.Thread(target=serve, args=(inner,), daemon=True).start()
      """;
}
