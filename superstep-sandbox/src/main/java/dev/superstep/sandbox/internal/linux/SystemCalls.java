package dev.superstep.sandbox.internal.linux;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Numbers of system calls on one kind of processor, and what a filter must know of it. Numbers
/// from 424 on are the same everywhere.
///
/// @param machine the name of the processor in the JVM
/// @param auditArch the number by which the kernel names it to filters
/// @param hasX32 whether the kernel takes calls in a second numbering
public record SystemCalls(
    String machine, int auditArch, boolean hasX32, Map<String, Integer> numbers) {
  private static final String COMMON =
      """
      pidfd_send_signal 424 io_uring_setup 425 io_uring_enter 426 io_uring_register 427
      open_tree 428 move_mount 429 fsopen 430 fsconfig 431 fsmount 432 fspick 433 pidfd_open 434
      clone3 435 close_range 436 pidfd_getfd 438 process_madvise 440 mount_setattr 442
      quotactl_fd 443 landlock_create_ruleset 444 landlock_add_rule 445 landlock_restrict_self 446
      process_mrelease 448 fchmodat2 452 setxattrat 463 removexattrat 466 open_tree_attr 467
      file_setattr 469
      """;

  private static final SystemCalls X86_64 =
      new SystemCalls(
          "amd64",
          0xc000003e,
          true,
          table(
              """
              write 1 close 3 lseek 8 ioctl 16 dup 32 socket 41 connect 42 accept 43 sendto 44 bind 49
              listen 50 socketpair 53 clone 56 wait4 61 kill 62 chmod 90 fchmod 91 chown 92 fchown 93
              lchown 94 ptrace 101 syslog 103 getppid 110 capset 126 rt_sigqueueinfo 129 utime 132 uselib 134
              setpriority 141 sched_setparam 142 sched_setscheduler 144 vhangup 153 modify_ldt 154
              pivot_root 155 _sysctl 156 prctl 157 adjtimex 159 setrlimit 160 chroot 161 acct 163
              settimeofday 164 mount 165 umount2 166 swapon 167 swapoff 168 reboot 169
              sethostname 170 setdomainname 171 iopl 172 ioperm 173 init_module 175
              delete_module 176 quotactl 179 nfsservctl 180 setxattr 188 lsetxattr 189 fsetxattr 190
              removexattr 197 lremovexattr 198 fremovexattr 199 tkill 200 sched_setaffinity 203
              lookup_dcookie 212 getdents64 217 clock_settime 227 tgkill 234 utimes 235
              kexec_load 246 add_key 248 request_key 249 keyctl 250 ioprio_set 251
              migrate_pages 256 openat 257 fchownat 260 futimesat 261 fchmodat 268 ppoll 271 unshare 272
              move_pages 279 utimensat 280 accept4 288 pipe2 293 rt_tgsigqueueinfo 297
              perf_event_open 298 fanotify_init 300 prlimit64 302 name_to_handle_at 303
              open_by_handle_at 304 clock_adjtime 305 setns 308 process_vm_readv 310
              process_vm_writev 311 kcmp 312 finit_module 313 sched_setattr 314 seccomp 317
              kexec_file_load 320 bpf 321 userfaultfd 323 statx 332
              """));

  private static final SystemCalls AARCH64 =
      new SystemCalls(
          "aarch64",
          0xc00000b7,
          false,
          table(
              """
              setxattr 5 lsetxattr 6 fsetxattr 7 removexattr 14 lremovexattr 15 fremovexattr 16
              lookup_dcookie 18 dup 23 ioctl 29 ioprio_set 30 umount2 39 mount 40 pivot_root 41
              nfsservctl 42 chroot 51 fchmod 52 fchmodat 53 fchownat 54 fchown 55 openat 56 close 57
              vhangup 58 pipe2 59 quotactl 60 getdents64 61 lseek 62 write 64 ppoll 73 utimensat 88 acct 89 capset 91
              unshare 97 kexec_load 104 init_module 105 delete_module 106 clock_settime 112
              syslog 116 ptrace 117 sched_setparam 118 sched_setscheduler 119 sched_setaffinity 122
              kill 129 tkill 130 tgkill 131 rt_sigqueueinfo 138 setpriority 140 reboot 142
              sethostname 161 setdomainname 162 setrlimit 164 prctl 167 settimeofday 170
              adjtimex 171 getppid 173 socket 198 socketpair 199 bind 200 listen 201 accept 202 connect 203
              sendto 206 add_key 217 request_key 218 keyctl 219 clone 220 swapon 224 swapoff 225
              migrate_pages 238 move_pages 239 rt_tgsigqueueinfo 240 perf_event_open 241
              accept4 242 wait4 260 prlimit64 261 fanotify_init 262 name_to_handle_at 264
              open_by_handle_at 265 clock_adjtime 266 setns 268 process_vm_readv 270
              process_vm_writev 271 kcmp 272 finit_module 273 sched_setattr 274 seccomp 277 bpf 280
              userfaultfd 282 statx 291 kexec_file_load 294
              """));

  public SystemCalls {
    numbers = Map.copyOf(numbers);
  }

  /// Those of every processor that is known.
  static List<SystemCalls> all() {
    return List.of(X86_64, AARCH64);
  }

  /// Those of the processor that this is, if they are known.
  public static Optional<SystemCalls> ofThisMachine() {
    var machine = System.getProperty("os.arch");
    if (!System.getProperty("os.name").equals("Linux")) return Optional.empty();
    if (machine.equals(X86_64.machine)) return Optional.of(X86_64);
    return machine.equals(AARCH64.machine) ? Optional.of(AARCH64) : Optional.empty();
  }

  private static Map<String, Integer> table(String own) {
    var all = new HashMap<String, Integer>();
    var words = (COMMON + own).strip().split("\\s+", -1);
    for (int i = 0; i < words.length; i += 2) all.put(words[i], Integer.valueOf(words[i + 1]));
    return all;
  }

  /// The number of a call that every processor has.
  int of(String name) {
    var number = numbers.get(name);
    if (number == null) throw new IllegalArgumentException(machine + " has no call " + name);
    return number;
  }

  /// The number of a call, if this processor has it.
  Optional<Integer> find(String name) {
    return Optional.ofNullable(numbers.get(name));
  }
}
