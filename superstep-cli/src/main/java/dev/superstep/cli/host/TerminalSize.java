package dev.superstep.cli.host;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// The width of the terminal of this process, asked when it is first needed. Safe for many threads.
final class TerminalSize implements IntSupplier {
  private static final int COLUMNS_USUAL = 80;
  private static final int COLUMNS_MAX = 10_000;
  private static final long LINUX_REQUEST = 0x5413L;
  private static final long BSD_REQUEST = 0x40087468L;
  private static final int[] DESCRIPTORS = {1, 2, 0};

  private final Map<String, String> variables;
  private @Nullable Integer known;

  TerminalSize(Map<String, String> variables) {
    this.variables = variables;
  }

  /// The columns that `COLUMNS` or the terminal says, else 80.
  @Override
  public synchronized int getAsInt() {
    var columns = known;
    if (columns == null) {
      columns = named().orElseGet(() -> asked().orElse(COLUMNS_USUAL));
      known = columns;
    }
    return columns;
  }

  private OptionalInt named() {
    var text = variables.getOrDefault("COLUMNS", "");
    return text.matches("[1-9][0-9]{0,3}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  @SuppressWarnings("restricted") // the command is started with native access
  private static OptionalInt asked() {
    var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (system.startsWith("windows")) return OptionalInt.empty();
    long request = system.startsWith("linux") ? LINUX_REQUEST : BSD_REQUEST;
    try (var arena = Arena.ofConfined()) {
      var linker = Linker.nativeLinker();
      var ioctl =
          linker.downcallHandle(
              linker.defaultLookup().find("ioctl").orElseThrow(),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(2));
      // Rows, columns, and two sizes in pixels.
      var size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      for (int descriptor : DESCRIPTORS) {
        int failed = (int) ioctl.invokeWithArguments(descriptor, request, size);
        int columns = Short.toUnsignedInt(size.getAtIndex(ValueLayout.JAVA_SHORT, 1));
        if (failed == 0 && columns > 0) return OptionalInt.of(Math.min(columns, COLUMNS_MAX));
      }
      return OptionalInt.empty();
    } catch (Throwable _) { // what a method handle declares
      // Without native access nobody can say.
      return OptionalInt.empty();
    }
  }
}
