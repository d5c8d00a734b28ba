package dev.superstep.sandbox.internal.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/// A program for seccomp that refuses system calls by which a process could get around Landlock,
/// see or disturb processes outside, or reach a network. All others are allowed: what they do to
/// files is Landlock's part. Immutable.
///
/// @param instructions each the four parts of a `sock_filter`, packed as in memory
public record SyscallFilter(List<Long> instructions) {
  private static final int ALLOW = 0x7fff0000;
  private static final int KILL = 0x80000000;
  private static final int REFUSE = 0x00050000 | Libc.EPERM;
  private static final int UNKNOWN = 0x00050000 | 38; // ENOSYS: callers fall back to older calls

  private static final int LOAD = 0x20;
  private static final int RETURN = 0x06;
  private static final int EQUAL = 0x15;
  private static final int AT_LEAST = 0x35;
  private static final int ANY_BIT = 0x45;
  private static final int AND = 0x54;

  private static final int JUMP_MAX = 255;
  private static final int NUMBER = 0;
  private static final int ARCH = 4;
  private static final int ARGUMENTS = 16;
  private static final int X32 = 0x40000000;

  /// Every flag of `clone` that makes a namespace.
  private static final int CLONE_NEW = 0x7e020000;

  private static final int SOCKET_TYPE = 0xf;
  private static final int SOCK_STREAM = 1;
  private static final int SOCK_SEQPACKET = 5;
  private static final int TIOCSTI = 0x5412;
  private static final int TIOCLINUX = 0x541c;
  private static final int FS_IOC_SETFLAGS = 0x40086602;
  private static final int FS_IOC_FSSETXATTR = 0x401c5820;

  private static final String REFUSED =
      """
      unshare setns mount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen
      fsconfig fsmount fspick mount_setattr ptrace process_vm_readv process_vm_writev
      process_madvise process_mrelease kcmp pidfd_getfd keyctl add_key request_key bpf
      perf_event_open userfaultfd kexec_load kexec_file_load init_module finit_module delete_module
      iopl ioperm reboot settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname
      acct syslog vhangup open_by_handle_at name_to_handle_at fanotify_init swapon swapoff quotactl
      quotactl_fd lookup_dcookie nfsservctl uselib _sysctl modify_ldt migrate_pages move_pages
      """;

  /// Without a namespace of its own, a process can have sockets in pairs only.
  private static final String SOCKETS = "socket connect bind listen accept accept4";

  /// Families of sockets that belong to a namespace: unix, the two of the internet, netlink.
  private static final List<Integer> NAMESPACED = List.of(1, 2, 10, 16);

  /// Programs that find these missing use older calls, and those that find them refused give up.
  private static final String MISSING = "clone3 io_uring_setup io_uring_enter io_uring_register";

  private static final String METADATA =
      """
      chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat
      setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat
      file_setattr
      """;

  public SyscallFilter {
    instructions = List.copyOf(instructions);
  }

  /// Settings of a filter.
  ///
  /// @param isMetadataLocked whether to refuse changes of owner, mode, times and attributes
  /// @param guarded a process that must not be signalled, where Landlock cannot hold that; or 0
  /// @param isNamespaced whether the network and the files are those of a namespace
  public record Settings(boolean isMetadataLocked, int guarded, boolean isNamespaced) {}

  /// As memory that the kernel and bubblewrap read.
  byte[] bytes() {
    var bytes = ByteBuffer.allocate(8 * instructions.size()).order(ByteOrder.LITTLE_ENDIAN);
    instructions.forEach(bytes::putLong);
    return bytes.array();
  }

  /// Makes the filter for a kind of processor.
  public static SyscallFilter of(SystemCalls calls, Settings settings) {
    var program = new Assembler(calls);
    program.checkArchitecture();
    program.all(REFUSED, REFUSE);
    program.all(MISSING, UNKNOWN);
    if (settings.isMetadataLocked()) program.all(METADATA, REFUSE);
    program.refuseIf("clone", List.of(new AnyBit(0, CLONE_NEW)));
    refuseSockets(program, settings.isNamespaced());
    refuseRequests(program, settings.isMetadataLocked());
    // On itself each of these is harmless; zero is how a process names itself.
    program.refuseIf("prlimit64", List.of(new NotZero(2), new NotZero(0)));
    for (var name :
        List.of("sched_setparam", "sched_setscheduler", "sched_setaffinity", "sched_setattr")) {
      program.refuseIf(name, List.of(new NotZero(0)));
    }
    program.refuseIf("setpriority", List.of(new NotZero(0)));
    program.refuseIf("setpriority", List.of(new NotZero(1)));
    program.refuseIf("ioprio_set", List.of(new NotZero(1)));
    if (settings.guarded() != 0) guard(program, settings.guarded());
    return new SyscallFilter(program.end());
  }

  private static void refuseSockets(Assembler program, boolean isNamespaced) {
    if (isNamespaced) {
      var others = NAMESPACED.stream().map(family -> (Test) new Masked(0, -1, family)).toList();
      program.refuseIf("socket", others);
      return;
    }
    program.all(SOCKETS, REFUSE);
    // A pair of datagram sockets could send to a socket of the host by naming it.
    program.refuseIf(
        "socketpair",
        List.of(
            new Masked(1, SOCKET_TYPE, SOCK_STREAM), new Masked(1, SOCKET_TYPE, SOCK_SEQPACKET)));
    program.refuseIf("sendto", List.of(new NotZero(4)));
  }

  private static void refuseRequests(Assembler program, boolean isMetadataLocked) {
    var requests = new ArrayList<>(List.of(TIOCSTI, TIOCLINUX));
    if (isMetadataLocked) requests.addAll(List.of(FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR));
    for (var one : requests) program.refuseIf("ioctl", List.of(new Equal(1, one)));
  }

  private static void guard(Assembler program, int process) {
    for (var name : List.of("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")) {
      program.refuseIf(name, List.of(new Equal(0, process)));
    }
    program.refuseIf("kill", List.of(new Equal(0, -1)));
    program.refuseIf("kill", List.of(new Equal(0, -process)));
    program.refuseIf("pidfd_open", List.of(new Equal(0, process)));
    program.all("tkill", REFUSE); // a thread of that process has another number
  }

  /// A test of one argument of a call. Only the lower half is looked at, but by [NotZero].
  private sealed interface Test {
    /// Instructions that go on after themselves if it holds, and skip `rest` more if not.
    List<Long> code(int rest);
  }

  private record Equal(int argument, int value) implements Test {
    @Override
    public List<Long> code(int rest) {
      return List.of(load(argument, 0), instruction(EQUAL, 0, rest, value));
    }
  }

  private record AnyBit(int argument, int bits) implements Test {
    @Override
    public List<Long> code(int rest) {
      return List.of(load(argument, 0), instruction(ANY_BIT, 0, rest, bits));
    }
  }

  /// Holds if the masked argument is *not* that value.
  private record Masked(int argument, int mask, int value) implements Test {
    @Override
    public List<Long> code(int rest) {
      return List.of(
          load(argument, 0), instruction(AND, 0, 0, mask), instruction(EQUAL, rest, 0, value));
    }
  }

  private record NotZero(int argument) implements Test {
    @Override
    public List<Long> code(int rest) {
      return List.of(
          load(argument, 0),
          instruction(EQUAL, 0, 2, 0),
          load(argument, 4),
          instruction(EQUAL, rest, 0, 0));
    }
  }

  private static long load(int argument, int half) {
    return instruction(LOAD, 0, 0, ARGUMENTS + 8 * argument + half);
  }

  private static long instruction(int code, int ifTrue, int ifFalse, int value) {
    if (ifTrue > JUMP_MAX || ifFalse > JUMP_MAX) throw new IllegalStateException("jumps too far");
    return code | (long) ifTrue << 16 | (long) ifFalse << 24 | (long) value << 32;
  }

  /// Puts instructions one after the other.
  private static final class Assembler {
    private final SystemCalls calls;
    private final List<Long> code = new ArrayList<>();

    Assembler(SystemCalls calls) {
      this.calls = calls;
    }

    /// Kills who calls in the numbering of another processor: the rest would not fit.
    void checkArchitecture() {
      code.add(instruction(LOAD, 0, 0, ARCH));
      code.add(instruction(EQUAL, 1, 0, calls.auditArch()));
      code.add(instruction(RETURN, 0, 0, KILL));
      code.add(instruction(LOAD, 0, 0, NUMBER));
      if (!calls.hasX32()) return;
      code.add(instruction(AT_LEAST, 0, 1, X32));
      code.add(instruction(RETURN, 0, 0, KILL));
    }

    /// The number of the call is loaded before and after. All jump to one answer, since each call
    /// of a confined process goes through all of this.
    void all(String names, int answer) {
      var numbers =
          Stream.of(names.strip().split("\\s+", 0)).flatMap(name -> calls.find(name).stream());
      var all = numbers.toList();
      for (int i = 0; i < all.size(); i++) {
        int rest = all.size() - 1 - i;
        code.add(instruction(EQUAL, rest, rest == 0 ? 1 : 0, all.get(i)));
      }
      if (!all.isEmpty()) code.add(instruction(RETURN, 0, 0, answer));
    }

    /// Refuses a call for which all the tests hold.
    void refuseIf(String name, List<Test> tests) {
      var number = calls.find(name);
      if (number.isEmpty()) return;
      var body = new ArrayList<Long>();
      IntFunction<List<Long>> rest =
          from ->
              tests.subList(from, tests.size()).stream().flatMap(t -> t.code(0).stream()).toList();
      for (int i = 0; i < tests.size(); i++) {
        body.addAll(tests.get(i).code(rest.apply(i + 1).size() + 1));
      }
      body.add(instruction(RETURN, 0, 0, REFUSE));
      code.add(instruction(EQUAL, 0, body.size() + 1, number.get()));
      code.addAll(body);
      code.add(instruction(LOAD, 0, 0, NUMBER));
    }

    List<Long> end() {
      code.add(instruction(RETURN, 0, 0, ALLOW));
      return code;
    }
  }
}
