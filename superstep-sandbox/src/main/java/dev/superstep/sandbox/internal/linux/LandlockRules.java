package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// Rules of Landlock: which files a thread and all that it starts may use. Everything that the
/// kernel's version knows of is refused if no path allows it; so are ports of TCP, sockets with
/// abstract names and signals to processes outside, from the versions on that know of these.
/// Immutable.
///
/// @param version the version of Landlock to use, at most that of the kernel
/// @param paths what is allowed
public record LandlockRules(int version, List<Allowed> paths) {
  /// The first version that holds signals within.
  public static final int SIGNALS = 6;

  private static final int NETWORK = 4;
  private static final int VERSION_FLAG = 1;
  private static final int PATH_BENEATH = 1;
  private static final int O_PATH_CLOEXEC = 0x280000; // O_PATH | O_CLOEXEC
  private static final int AT_FDCWD = -100;

  private static final long EXECUTE = 1;
  private static final long WRITE_FILE = 1 << 1;
  private static final long READ_FILE = 1 << 2;
  private static final long READ_DIR = 1 << 3;
  private static final long MAKE_CHAR = 1 << 6;
  private static final long MAKE_BLOCK = 1 << 11;
  private static final long REFER = 1 << 13;
  private static final long TRUNCATE = 1 << 14;
  private static final long IOCTL_DEV = 1 << 15;
  private static final long FIRST = (1 << 13) - 1;
  private static final long READING = EXECUTE | READ_FILE | READ_DIR;
  private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

  /// A device node in the workspace would be a way to a disk, so not even there.
  private static final long NEVER = MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV;

  public LandlockRules {
    paths = List.copyOf(paths);
  }

  /// A path and what may be done with all that is beneath it.
  ///
  /// @param isOptional whether it may be missing or out of reach, which allows nothing then
  public record Allowed(Path path, boolean isWritable, boolean isOptional) {}

  /// The version of the kernel's Landlock; 0 if it has none, or none in use.
  public static int versionOfKernel(SystemCalls calls) {
    try (var memory = Arena.ofConfined()) {
      long version = Libc.call(memory, calls.of("landlock_create_ruleset"), 0, 0, VERSION_FLAG);
      return (int) Math.max(0, version);
    }
  }

  private long handledFiles() {
    long handled = FIRST;
    if (version >= 2) handled |= REFER;
    if (version >= 3) handled |= TRUNCATE;
    if (version >= 5) handled |= IOCTL_DEV;
    return handled;
  }

  /// Makes the set of rules.
  ///
  /// @return its descriptor
  long create(Arena memory, SystemCalls calls) throws IOException {
    var state = Libc.state(memory);
    var attributes = memory.allocate(24, 8);
    attributes.set(JAVA_LONG, 0, handledFiles());
    attributes.set(JAVA_LONG, 8, version >= NETWORK ? 3 : 0);
    attributes.set(JAVA_LONG, 16, version >= SIGNALS ? 3 : 0);
    long size = version >= SIGNALS ? 24 : version >= NETWORK ? 16 : 8;
    long rules =
        Libc.must(
            "landlock_create_ruleset",
            state,
            calls.of("landlock_create_ruleset"),
            attributes.address(),
            size,
            0);
    try {
      for (var one : paths) allow(memory, calls, rules, one);
    } catch (IOException | RuntimeException e) {
      Libc.call(state, calls.of("close"), rules);
      throw e;
    }
    return rules;
  }

  private void allow(Arena memory, SystemCalls calls, long rules, Allowed one) throws IOException {
    var state = Libc.state(memory);
    var name = Libc.text(memory, one.path().toString());
    long opened = Libc.call(state, calls.of("openat"), AT_FDCWD, name.address(), O_PATH_CLOEXEC, 0);
    if (opened < 0 && one.isOptional()) return;
    if (opened < 0) throw new Libc.CallFailed("open of " + one.path(), (int) -opened);
    try {
      long access = one.isWritable() ? handledFiles() & ~NEVER : READING;
      if (one.isWritable() && isDevice(one.path())) access &= ~EXECUTE;
      var rule = rule(memory, access, (int) opened);
      long add = calls.of("landlock_add_rule");
      long added = Libc.call(state, add, rules, PATH_BENEATH, rule.address(), 0);
      if (added == -Libc.EINVAL) {
        // Rights on folders are refused for what is none.
        rule.set(JAVA_LONG_UNALIGNED, 0, access & OF_FILES);
        added = Libc.call(state, add, rules, PATH_BENEATH, rule.address(), 0);
      }
      if (added < 0) {
        throw new Libc.CallFailed("landlock_add_rule for " + one.path(), (int) -added);
      }
    } finally {
      Libc.call(state, calls.of("close"), opened);
    }
  }

  private static boolean isDevice(Path path) {
    return path.startsWith("/dev");
  }

  private static MemorySegment rule(Arena memory, long access, int opened) {
    var rule = memory.allocate(16, 8);
    rule.set(JAVA_LONG_UNALIGNED, 0, access);
    rule.set(JAVA_INT, 8, opened);
    return rule;
  }
}
