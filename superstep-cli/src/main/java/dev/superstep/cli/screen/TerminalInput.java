package dev.superstep.cli.screen;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;

/// The standard input of this process as the system sees it.
final class TerminalInput {
  private static final int INPUT = 0;
  private static final int READ_WRITE = 2;
  private static final String DEVICE = "/dev/tty";

  private TerminalInput() {}

  /// Puts the terminal of this process in the place of its standard input, which has been read.
  ///
  /// @return whether there is a terminal
  static boolean become() throws IOException {
    try (var arena = Arena.ofConfined()) {
      int opened =
          (int)
              function("open", ValueLayout.ADDRESS, ValueLayout.JAVA_INT)
                  .invokeWithArguments(arena.allocateFrom(DEVICE), READ_WRITE);
      if (opened < 0) return false;
      var two = function("dup2", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      int moved = (int) two.invokeWithArguments(opened, INPUT);
      if (opened != INPUT) {
        var _ = function("close", ValueLayout.JAVA_INT).invokeWithArguments(opened);
      }
      return moved == INPUT;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) { // what a method handle declares
      throw new IOException("the terminal of this process cannot be opened: " + e.getMessage(), e);
    }
  }

  /// Drops what the terminal holds and has not given to anybody yet.
  static void flush() throws IOException {
    int input = System.getProperty("os.name", "").startsWith("Linux") ? 0 : 1;
    try {
      var flush = function("tcflush", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      var _ = flush.invokeWithArguments(INPUT, input);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) { // what a method handle declares
      throw new IOException("what was typed cannot be dropped: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings("restricted") // the command is started with native access
  private static java.lang.invoke.MethodHandle function(String name, MemoryLayout... arguments)
      throws IOException {
    var linker = Linker.nativeLinker();
    var symbol = linker.defaultLookup().find(name);
    if (symbol.isEmpty()) throw new IOException("this system has no function " + name);
    return linker.downcallHandle(
        symbol.get(), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
  }
}
