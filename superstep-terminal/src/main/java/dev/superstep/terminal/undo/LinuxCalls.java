package dev.superstep.terminal.undo;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// System calls of Linux about files, by the foreign-function API. Where they cannot be used,
/// nothing but [#IS_USABLE] is. Safe for many threads.
final class LinuxCalls {
  static final int ENOENT = 2;
  static final int AT_FDCWD = -100;
  static final int STATX_SIZE = 256;
  static final int STATX_BASIC = 0x7ff;

  private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64");
  private static final boolean IS_ARM = System.getProperty("os.arch").equals("aarch64");
  static final long READ = IS_X86 ? 0 : 63;
  static final long CLOSE = IS_X86 ? 3 : 57;
  static final long GETDENTS = IS_X86 ? 217 : 61;
  static final long STATX = IS_X86 ? 332 : 291;
  static final long INOTIFY_INIT = IS_X86 ? 294 : 26;
  static final long INOTIFY_ADD = IS_X86 ? 254 : 27;
  private static final long OPENAT = IS_X86 ? 257 : 56;

  // O_DIRECTORY and O_NOFOLLOW are not the same everywhere; O_CLOEXEC is.
  private static final long OPEN_FOLDER = 0x80000 | (IS_X86 ? 0x30000 : 0xc000);

  static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      MethodHandles.insertCoordinates(
          STATE.varHandle(MemoryLayout.PathElement.groupElement("errno")), 1, 0L);
  private static final @Nullable MethodHandle SYSCALL = handle();

  /// Tells that they work on this machine, and print no warning.
  static final boolean IS_USABLE = SYSCALL != null && works();

  private LinuxCalls() {}

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle handle() {
    boolean isKnown = System.getProperty("os.name").equals("Linux") && (IS_X86 || IS_ARM);
    boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    // Paths of Java and names of the kernel must be the same text.
    boolean isUtf8 = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
    boolean isAllowed = LinuxCalls.class.getModule().isNativeAccessEnabled();
    if (!isKnown || !isLittle || !isUtf8 || !isAllowed) return null;
    var linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("syscall")
        .map(function ->
            linker.downcallHandle(
                function,
                FunctionDescriptor.of(
                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(1)))
        .orElse(null);
  }

  /// Old kernels and some containers refuse `statx`.
  private static boolean works() {
    try (var memory = Arena.ofConfined()) {
      var state = memory.allocate(STATE);
      var root = memory.allocateFrom("/");
      var facts = memory.allocate(STATX_SIZE, 8);
      return call(state, STATX, AT_FDCWD, root.address(), 0, STATX_BASIC, facts.address()) == 0;
    }
  }

  /// Opens a folder, which must not be a link.
  static long open(MemorySegment state, long path) {
    return call(state, OPENAT, AT_FDCWD, path, OPEN_FOLDER, 0, 0);
  }

  /// Makes a system call.
  ///
  /// @return the result; negated, the number of the error
  static long call(MemorySegment state, long number, long... a) {
    try {
      var syscall = Objects.requireNonNull(SYSCALL);
      long result =
          (long)
              syscall.invokeExact(state, number, at(a, 0), at(a, 1), at(a, 2), at(a, 3), at(a, 4));
      return result == -1 ? -(int) ERRNO.get(state) : result;
    } catch (Throwable t) {
      throw new IllegalStateException("a native call threw", t);
    }
  }

  private static long at(long[] arguments, int index) {
    return index < arguments.length ? arguments[index] : 0;
  }
}
