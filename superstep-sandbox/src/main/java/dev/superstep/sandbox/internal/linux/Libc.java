package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.Serial;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Calls of the C library by the foreign-function API. All of its state is made when it is loaded,
/// so that a thread that is confined afterwards loads nothing more. Safe for many threads.
public final class Libc {
  /// The number of the error by which a call is refused.
  public static final int EPERM = 1;

  /// The number of the error of an argument that the kernel does not take.
  static final int EINVAL = 22;

  /// The number of the error of a call that a signal interrupted.
  static final int EINTR = 4;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();

  private static final VarHandle ERRNO_FIELD =
      MethodHandles.insertCoordinates(
          STATE.varHandle(MemoryLayout.PathElement.groupElement("errno")), 1, 0L);

  private static final MethodHandle SYSCALL =
      handle(
          "syscall",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          ERRNO,
          Linker.Option.firstVariadicArg(1));

  private Libc() {}

  /// A system call that failed.
  public static final class CallFailed extends IOException {
    @Serial private static final long serialVersionUID = 1;
    private final int errno;

    CallFailed(String call, int errno) {
      super(call + " failed with error " + errno);
      this.errno = errno;
    }

    /// The number of the error.
    public int errno() {
      return errno;
    }
  }

  /// Returns whether native calls are allowed to this module, so that they print no warning.
  public static boolean isAllowed() {
    return Libc.class.getModule().isNativeAccessEnabled();
  }

  /// Makes a system call.
  ///
  /// @return its result; negated, the number of its error
  public static long call(Arena memory, long number, long... arguments) {
    var state = memory.allocate(STATE);
    return call(state, number, arguments);
  }

  /// Makes a system call with memory for its error from the caller.
  static long call(MemorySegment state, long number, long... a) {
    try {
      var result =
          (long)
              SYSCALL.invokeExact(state, number, at(a, 0), at(a, 1), at(a, 2), at(a, 3), at(a, 4));
      return result == -1 ? -(int) ERRNO_FIELD.get(state) : result;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call threw", e);
    }
  }

  private static long at(long[] arguments, int index) {
    return index < arguments.length ? arguments[index] : 0;
  }

  /// Makes a system call that must not fail.
  static long must(String name, MemorySegment state, long number, long... arguments)
      throws CallFailed {
    long result = call(state, number, arguments);
    if (result < 0) throw new CallFailed(name, (int) -result);
    return result;
  }

  static MemorySegment state(Arena memory) {
    return memory.allocate(STATE);
  }

  /// A function that the library has. The module warns where native calls are not allowed; nothing
  /// here is called then.
  @SuppressWarnings("restricted")
  static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, options);
  }

  static MemorySegment text(Arena memory, String text) {
    return memory.allocateFrom(text, StandardCharsets.UTF_8);
  }

  /// An array of texts that ends with a null pointer, as programs are started with.
  static MemorySegment texts(Arena memory, List<String> texts) {
    var array = memory.allocate(ADDRESS, texts.size() + 1L);
    for (int i = 0; i < texts.size(); i++) {
      array.setAtIndex(ADDRESS, i, text(memory, texts.get(i)));
    }
    array.setAtIndex(ADDRESS, texts.size(), MemorySegment.NULL);
    return array;
  }

  static int int32(MemorySegment memory, long offset) {
    return memory.get(JAVA_INT, offset);
  }

  static byte int8(MemorySegment memory, long offset) {
    return memory.get(JAVA_BYTE, offset);
  }
}
