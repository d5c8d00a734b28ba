package dev.superstep.sandbox;

import java.util.List;

/// A way out of a sandbox, as a script. It has got out if it prints `LEAK` or the secret, if the
/// files outside differ afterwards, or if a listener outside has heard something. Its arguments are
/// the folder outside, the process of the JVM, a port of TCP and one of UDP.
///
/// @param threat the number of the threat in the list of demands
record EscapeCase(String threat, String name, String script) {
  private static final String SPELLINGS =
      """
      o=$1; b=../outside; mkdir -p sub
      all="$o/F $b/F ./$b/F $b/./F $b//F $o//F $o/./F /$o/F //$o/F sub/../$b/F ./sub/./../$b/F
      $PWD/$b/F $PWD/../outside/F $PWD/sub/../../outside/F $o/sub/../F $o/../outside/F
      /proc/self/root$o/F /proc/self/cwd/$b/F /proc/$2/root$o/F /proc/$2/cwd/$o/F
      /proc/1/root$o/F /proc/1/cwd/$o/F /proc/thread-self/root$o/F /proc/self/task/$$/root$o/F
      /dev/../$o/F /tmp/../$o/F /usr/..$o/F /dev/fd/../root$o/F /./$o/F /proc/$2/task/$2/root$o/F"
      """;

  static final List<EscapeCase> ALL =
      List.of(
          of("1", "read, 30 spellings", SPELLINGS + "for p in $all; do cat ${p%F}secret; done"),
          of(
              "1",
              "write, 30 spellings",
              SPELLINGS
                  + "i=0; for p in $all; do i=$((i+1)); echo x >${p%F}n$i; echo x >>${p%F}secret;"
                  + " cp /dev/null ${p%F}secret; mkdir ${p%F}d$i; done"),
          of("1", "delete, 30 spellings", SPELLINGS + "for p in $all; do rm -f ${p%F}secret; done"),
          of(
              "2",
              "symbolic links",
              """
              ln -s "$1/secret" l; cat l; echo x >l; rm -f l; ln -s "$1/new" d; echo x >d
              ln -s "$1" m; cat m/secret; echo x >m/n; mkdir m/x; ln -s m k; cat k/sub/../secret
              """),
          of(
              "3",
              "hard links and renames",
              """
              ln "$1/secret" h; cat h; echo x >f; ln f "$1/f"; mv f "$1/g"; mv "$1/secret" s; cat s
              mv "$1/sub" t
              """),
          of(
              "3",
              "mounts and namespaces",
              """
              mkdir -p at; mount --bind "$1" at; mount -t tmpfs x at && echo LEAK
              unshare -rm mount --bind "$1" at && echo LEAK
              unshare -r true && echo LEAK; unshare -n true && echo LEAK; chroot "$1" /x; cat at/secret
              umount at; umount at
              """),
          of(
              "3",
              "descriptors",
              perl("for (3..1023) { if (open(my $f, '<&', $_)) { print \"LEAK $_\\n\" } }")),
          of(
              "4",
              "mode, owner, times",
              """
              chmod 777 "$1/secret"; chown 12345 "$1/secret"; touch -d 2001-01-01 "$1/secret"
              chmod 700 "$1/sub"; touch -d 2001-01-01 "$1/sub"
              """),
          of(
              "5",
              "variables of this program",
              """
              [ -n "$(cat /proc/$2/environ)" ] && echo LEAK
              env | grep -vE '^(PATH|HOME|TMPDIR|LANG|TERM|PWD|OLDPWD|SHLVL|_|SUPERSTEP_COMMAND)='\
               && echo LEAK
              """),
          of(
              "5",
              "memory of this program",
              "head -c 1 /proc/$2/mem; cat /proc/$2/maps && echo LEAK"),
          of(
              "5",
              "a core file",
              """
              sh -c 'kill -QUIT $$'; sh -c 'kill -SEGV $$'; perl -e 'kill ABRT => $$'
              for f in core* /tmp/core*; do [ -e "$f" ] && echo LEAK; done
              [ "$(ulimit -c)" = 0 ] || echo LEAK
              """),
          of("6", "signals to this program", "kill -0 $2 && echo LEAK"),
          of(
              "6",
              "limits and priority of this program",
              "prlimit --pid $2 --rss=1099511627776 && echo LEAK; taskset -p $2 && renice -n 1 $2"
                  + " && echo LEAK"),
          of("8", "raise a limit", "ulimit -f unlimited && echo LEAK"),
          of(
              "8",
              "files above the limit",
              """
              dd if=/dev/zero of=big bs=1M count=3; truncate -s 1G sparse
              for f in big sparse; do s=$(stat -c %s $f); [ "${s:-0}" -gt 1048576 ] && echo LEAK; done
              """),
          of("3", "device nodes", "mknod disk b 8 0 && echo LEAK; mknod mem c 1 1 && echo LEAK"),
          of("10", "the terminal", "(: </dev/tty) && echo LEAK"),
          of("17", "TCP", perl(inet("SOCK_STREAM", 2) + " syswrite S, 'x';")),
          of("17", "UDP", perl(inet("SOCK_DGRAM", 3) + " syswrite S, 'x';")),
          of(
              "17",
              "unix socket",
              perl(
                  "use Socket; socket(S, PF_UNIX, SOCK_STREAM, 0) or exit;"
                      + " connect(S, sockaddr_un(\"$ARGV[0]/stream\")) and syswrite S, 'x';")),
          of(
              "17",
              "unix datagram by a pair",
              perl(
                  "use Socket; socketpair(A, B, PF_UNIX, SOCK_DGRAM, 0) or exit;"
                      + " send(A, 'x', 0, sockaddr_un(\"$ARGV[0]/datagram\"));")),
          of(
              "17",
              "raw, packet and netlink sockets",
              perl(
                  "for ([17, 3], [16, 3], [40, 1], [38, 5]) { print \"LEAK $$_[0]\\n\" if $$_[0] !="
                      + " 16 && socket(S, $$_[0], $$_[1], 0) }")));

  /// Returns whether it wants to be heard outside.
  boolean isOfNetwork() {
    return threat.equals("17");
  }

  private static EscapeCase of(String threat, String name, String script) {
    return new EscapeCase(threat, name, script);
  }

  private static String perl(String program) {
    return "perl -e '" + program.replace("'", "'\\''") + "' \"$@\"";
  }

  private static String inet(String type, int port) {
    return "use Socket; socket(S, PF_INET, %s, 0) or exit;".formatted(type)
        + " connect(S, sockaddr_in($ARGV[%d], INADDR_LOOPBACK)) or exit;".formatted(port);
  }
}
