package dev.superstep.sandbox.internal.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyscallFilterTest {
  private static final int ALLOW = 0x7fff0000;
  private static final int KILL_PROCESS = 0x80000000;
  private static final int EPERM = 0x00050001;
  private static final int ENOSYS = 0x00050026;
  private static final int RANDOM_CALLS = Integer.getInteger("superstep.cases", 20_000);

  private static final SyscallFilter.Settings CONFINED =
      new SyscallFilter.Settings(false, 0, false);
  private static final SyscallFilter.Settings LOCKED = new SyscallFilter.Settings(true, 0, false);
  private static final SyscallFilter.Settings NAMESPACED =
      new SyscallFilter.Settings(false, 0, true);
  private static final SyscallFilter.Settings GUARDED =
      new SyscallFilter.Settings(false, 4_711, false);

  /// Numbers written down apart from those of the filter.
  private static final String NUMBERS_X86 =
      """
      read 0 write 1 openat 257 mmap 9 execve 59 exit_group 231 fork 57 vfork 58 clone 56 wait4 61
      rt_sigaction 13 close_range 436 prctl 157 seccomp 317 landlock_restrict_self 446 rename 82
      ptrace 101 mount 165 umount2 166 unshare 272 setns 308 chroot 161 keyctl 250 add_key 248
      request_key 249 bpf 321 process_vm_readv 310 process_vm_writev 311 pidfd_getfd 438
      open_by_handle_at 304 userfaultfd 323 init_module 175 reboot 169 fsopen 430 move_mount 429
      perf_event_open 298 clone3 435 io_uring_setup 425 io_uring_enter 426 io_uring_register 427
      chmod 90 fchmod 91 fchmodat 268 fchmodat2 452 chown 92 fchownat 260 utimensat 280 utime 132
      setxattr 188 removexattr 197 socket 41 connect 42 bind 49 listen 50 accept 43 accept4 288
      socketpair 53 sendto 44 sendmsg 46 recvfrom 45 ioctl 16 prlimit64 302 setrlimit 160
      sched_setaffinity 203 setpriority 141 ioprio_set 251 kill 62 tkill 200 tgkill 234
      pidfd_open 434 rt_sigqueueinfo 129
      """;

  private static final String NUMBERS_ARM =
      """
      read 63 write 64 openat 56 mmap 222 execve 221 exit_group 94 clone 220 wait4 260
      rt_sigaction 134 close_range 436 prctl 167 seccomp 277 landlock_restrict_self 446
      renameat2 276 ptrace 117 mount 40 umount2 39 unshare 97 setns 268 chroot 51 keyctl 219
      add_key 217 request_key 218 bpf 280 process_vm_readv 270 process_vm_writev 271
      pidfd_getfd 438 open_by_handle_at 265 userfaultfd 282 init_module 105 reboot 142 fsopen 430
      move_mount 429 perf_event_open 241 clone3 435 io_uring_setup 425 io_uring_enter 426
      io_uring_register 427 fchmod 52 fchmodat 53 fchmodat2 452 fchownat 54 utimensat 88
      setxattr 5 removexattr 14 socket 198 connect 203 bind 200 listen 201 accept 202 accept4 242
      socketpair 199 sendto 206 sendmsg 211 recvfrom 207 ioctl 29 prlimit64 261 setrlimit 164
      sched_setaffinity 122 setpriority 140 ioprio_set 30 kill 129 tkill 130 tgkill 131
      pidfd_open 434 rt_sigqueueinfo 138
      """;

  /// A kind of processor with the numbers of its calls.
  record Processor(SystemCalls calls, int architecture, int foreign, Map<String, Integer> numbers) {
    int answer(SyscallFilter.Settings settings, String name, long... arguments) {
      var list = java.util.Arrays.stream(arguments).boxed().toList();
      return machine(settings).answer(new FilterMachine.Call(architecture, of(name), list));
    }

    FilterMachine machine(SyscallFilter.Settings settings) {
      return new FilterMachine(SyscallFilter.of(calls, settings).instructions());
    }

    int of(String name) {
      var number = numbers.get(name);
      if (number == null) throw new IllegalArgumentException("no number of " + name);
      return number;
    }

    /// Those of some names that this processor has.
    List<String> present(String names) {
      return List.of(names.split(" ")).stream().filter(numbers::containsKey).toList();
    }

    @Override
    public String toString() {
      return calls.machine();
    }
  }

  static List<Processor> processors() {
    return List.of(
        new Processor(SystemCalls.all().get(0), 0xc000003e, 0x40000003, table(NUMBERS_X86)),
        new Processor(SystemCalls.all().get(1), 0xc00000b7, 0x40000028, table(NUMBERS_ARM)));
  }

  private static Map<String, Integer> table(String text) {
    var words = text.strip().split("\\s+");
    var all = new HashMap<String, Integer>();
    for (int i = 0; i < words.length; i += 2) all.put(words[i], Integer.valueOf(words[i + 1]));
    return all;
  }

  @ParameterizedTest
  @MethodSource("processors")
  void calls_that_programs_need_are_allowed(Processor processor) {
    for (var settings : List.of(CONFINED, LOCKED, NAMESPACED, GUARDED)) {
      for (var name :
          processor.present(
              "read write openat mmap execve exit_group fork vfork wait4 rt_sigaction close_range"
                  + " prctl seccomp landlock_restrict_self rename renameat2 sendmsg recvfrom"
                  + " setrlimit")) {
        assertThat(processor.answer(settings, name, 3)).as(name).isEqualTo(ALLOW);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("processors")
  void ways_around_landlock_are_refused_in_every_setting(Processor processor) {
    for (var settings : List.of(CONFINED, LOCKED, NAMESPACED, GUARDED)) {
      for (var name :
          processor.present(
              "ptrace mount umount2 unshare setns chroot keyctl add_key request_key bpf"
                  + " process_vm_readv process_vm_writev pidfd_getfd open_by_handle_at userfaultfd"
                  + " init_module reboot fsopen move_mount perf_event_open")) {
        assertThat(processor.answer(settings, name)).as(name).isEqualTo(EPERM);
      }
      for (var name : List.of("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register")) {
        assertThat(processor.answer(settings, name)).as(name).isEqualTo(ENOSYS);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("processors")
  void metadata_is_refused_only_where_it_is_locked(Processor processor) {
    for (var name :
        processor.present(
            "chmod fchmod fchmodat fchmodat2 chown fchownat utimensat utime setxattr"
                + " removexattr")) {
      assertThat(processor.answer(CONFINED, name)).as(name).isEqualTo(ALLOW);
      assertThat(processor.answer(LOCKED, name)).as(name).isEqualTo(EPERM);
    }
    for (long request : new long[] {0x40086602, 0x401c5820}) {
      assertThat(processor.answer(CONFINED, "ioctl", 3, request)).isEqualTo(ALLOW);
      assertThat(processor.answer(LOCKED, "ioctl", 3, request)).isEqualTo(EPERM);
    }
  }

  @ParameterizedTest
  @MethodSource("processors")
  void a_process_is_made_but_in_no_new_namespace(Processor processor) {
    assertThat(processor.answer(CONFINED, "clone", 0x4111)).isEqualTo(ALLOW); // vfork
    assertThat(processor.answer(CONFINED, "clone", 0x3d0f00)).isEqualTo(ALLOW); // a thread
    for (int flag :
        new int[] {
          0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
        }) {
      assertThat(processor.answer(CONFINED, "clone", flag | 0x11)).as("%x", flag).isEqualTo(EPERM);
    }
  }

  @ParameterizedTest
  @MethodSource("processors")
  void without_a_namespace_there_are_sockets_in_pairs_only(Processor processor) {
    for (var name : List.of("socket", "connect", "bind", "listen", "accept", "accept4")) {
      assertThat(processor.answer(CONFINED, name, 1, 1)).as(name).isEqualTo(EPERM);
    }
    int flags = 0x80800; // closed on exec, not blocking
    assertThat(processor.answer(CONFINED, "socketpair", 1, 1 | flags)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "socketpair", 1, 5)).isEqualTo(ALLOW);
    for (int type : new int[] {2, 3, 4, 6, 10}) {
      assertThat(processor.answer(CONFINED, "socketpair", 1, type | flags))
          .as("type %d", type)
          .isEqualTo(EPERM);
    }
    assertThat(processor.answer(CONFINED, "sendto", 3, 0x1000, 1, 0, 0)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "sendto", 3, 0x1000, 1, 0, 0x7000)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "sendto", 3, 0x1000, 1, 0, 1L << 40)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @MethodSource("processors")
  void in_a_namespace_there_are_the_sockets_that_belong_to_one(Processor processor) {
    for (int family = 0; family < 64; family++) {
      boolean isOfNamespace = List.of(1, 2, 10, 16).contains(family);
      assertThat(processor.answer(NAMESPACED, "socket", family, 1))
          .as("family %d", family)
          .isEqualTo(isOfNamespace ? ALLOW : EPERM);
    }
    assertThat(processor.answer(NAMESPACED, "connect", 3)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @MethodSource("processors")
  void nothing_is_typed_into_a_terminal(Processor processor) {
    for (long request : new long[] {0x5412, 0x541c}) {
      for (var settings : List.of(CONFINED, LOCKED, NAMESPACED, GUARDED)) {
        assertThat(processor.answer(settings, "ioctl", 0, request)).isEqualTo(EPERM);
        // The kernel reads the lower half alone, so bits above must not hide a request.
        assertThat(processor.answer(settings, "ioctl", 0, request | 7L << 32)).isEqualTo(EPERM);
      }
    }
    assertThat(processor.answer(CONFINED, "ioctl", 0, 0x5413)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @MethodSource("processors")
  void limits_and_priorities_are_those_of_the_caller_alone(Processor processor) {
    assertThat(processor.answer(CONFINED, "prlimit64", 0, 7, 0x1000, 0)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "prlimit64", 77, 7, 0, 0x1000)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "prlimit64", 77, 7, 0x1000, 0)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "prlimit64", 77, 7, 1L << 33, 0)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "sched_setaffinity", 0)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "sched_setaffinity", 77)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "setpriority", 0, 0, 5)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "setpriority", 0, 77, 5)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "setpriority", 2, 0, 5)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "ioprio_set", 1, 0)).isEqualTo(ALLOW);
    assertThat(processor.answer(CONFINED, "ioprio_set", 1, 77)).isEqualTo(EPERM);
  }

  @ParameterizedTest
  @MethodSource("processors")
  void a_guarded_process_gets_no_signal_where_landlock_cannot_hold_them(Processor processor) {
    long own = 4_711;
    assertThat(processor.answer(GUARDED, "kill", 5_000, 9)).isEqualTo(ALLOW);
    for (long whom : new long[] {own, -own, -1, 0xffffffffL, 0xffffffffL - own + 1}) {
      assertThat(processor.answer(GUARDED, "kill", whom, 9)).as("%d", whom).isEqualTo(EPERM);
    }
    assertThat(processor.answer(GUARDED, "tgkill", own, own + 3, 9)).isEqualTo(EPERM);
    assertThat(processor.answer(GUARDED, "tkill", own + 3, 9)).isEqualTo(EPERM);
    assertThat(processor.answer(GUARDED, "rt_sigqueueinfo", own, 9)).isEqualTo(EPERM);
    assertThat(processor.answer(GUARDED, "pidfd_open", own)).isEqualTo(EPERM);
    assertThat(processor.answer(CONFINED, "kill", own, 9)).isEqualTo(ALLOW);
  }

  @ParameterizedTest
  @MethodSource("processors")
  void calls_in_the_numbering_of_another_processor_kill(Processor processor) {
    for (var settings : List.of(CONFINED, LOCKED, NAMESPACED, GUARDED)) {
      var machine = processor.machine(settings);
      for (int number : new int[] {0, 1, processor.of("write"), processor.of("mount"), 500}) {
        for (int architecture : new int[] {processor.foreign(), 0, 0xc0000015}) {
          var call = new FilterMachine.Call(architecture, number, List.of());
          assertThat(machine.answer(call)).isEqualTo(KILL_PROCESS);
        }
        var second =
            new FilterMachine.Call(processor.architecture(), 0x40000000 | number, List.of());
        // Only one of them has such a numbering; the other's kernel knows no such call.
        assertThat(machine.answer(second))
            .isEqualTo(processor.calls().hasX32() ? KILL_PROCESS : ALLOW);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("processors")
  void every_call_gets_an_answer(Processor processor) {
    var random = new SplittableRandom(20);
    for (var settings : List.of(CONFINED, LOCKED, NAMESPACED, GUARDED)) {
      var machine = processor.machine(settings);
      for (int i = 0; i < RANDOM_CALLS / 8; i++) {
        var arguments = new ArrayList<Long>();
        for (int n = 0; n < 6; n++) {
          arguments.add(random.nextBoolean() ? random.nextLong() : random.nextLong(64));
        }
        var call = new FilterMachine.Call(processor.architecture(), random.nextInt(480), arguments);
        assertThat(machine.answer(call)).isIn(ALLOW, EPERM, ENOSYS);
      }
    }
  }

  @Test
  void the_numbers_are_those_of_the_headers_of_the_kernel() throws Exception {
    var headers =
        List.of(
            Path.of("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
            Path.of("/usr/include/asm-generic/unistd.h"));
    assumeTrue(headers.stream().allMatch(Files::exists), "needs the headers of the kernel");
    for (int i = 0; i < 2; i++) {
      var known = new HashMap<String, Integer>();
      var found =
          Pattern.compile("#define __NR(?:3264)?_(\\w+)\\s+(\\d+)")
              .matcher(Files.readString(headers.get(i)));
      while (found.find()) known.put(found.group(1), Integer.valueOf(found.group(2)));
      var table = SystemCalls.all().get(i);
      // Headers may be older than a call.
      table
          .numbers()
          .forEach((name, number) ->
              assertThat(known.getOrDefault(name, number))
                  .as("%s on %s", name, table.machine())
                  .isEqualTo(number));
      assertThat(known.keySet()).containsAll(List.of("openat", "mount", "clone3", "prlimit64"));
    }
  }
}
