package dev.superstep.repl.internal.value;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A kind of exception, and the kind that it belongs to. Calling it makes one.
public final class ErrorType extends Callable {
  private static final Map<String, ErrorType> ALL = new LinkedHashMap<>();

  public static final ErrorType EXCEPTION = new ErrorType("Exception", null);
  public static final ErrorType ARITHMETIC = new ErrorType("ArithmeticError", EXCEPTION);
  public static final ErrorType ZERO_DIVISION = new ErrorType("ZeroDivisionError", ARITHMETIC);
  public static final ErrorType OVERFLOW = new ErrorType("OverflowError", ARITHMETIC);
  public static final ErrorType ASSERTION = new ErrorType("AssertionError", EXCEPTION);
  public static final ErrorType ATTRIBUTE = new ErrorType("AttributeError", EXCEPTION);
  public static final ErrorType LOOKUP = new ErrorType("LookupError", EXCEPTION);
  public static final ErrorType INDEX = new ErrorType("IndexError", LOOKUP);
  public static final ErrorType KEY = new ErrorType("KeyError", LOOKUP);
  public static final ErrorType NAME = new ErrorType("NameError", EXCEPTION);
  public static final ErrorType UNBOUND = new ErrorType("UnboundLocalError", NAME);
  public static final ErrorType RUNTIME = new ErrorType("RuntimeError", EXCEPTION);
  public static final ErrorType NOT_IMPLEMENTED = new ErrorType("NotImplementedError", RUNTIME);
  public static final ErrorType RECURSION = new ErrorType("RecursionError", RUNTIME);
  public static final ErrorType STOP = new ErrorType("StopIteration", EXCEPTION);
  public static final ErrorType TYPE = new ErrorType("TypeError", EXCEPTION);
  public static final ErrorType VALUE = new ErrorType("ValueError", EXCEPTION);
  public static final ErrorType JSON = new ErrorType("JSONDecodeError", VALUE);
  public static final ErrorType UNICODE = new ErrorType("UnicodeError", VALUE);
  public static final ErrorType MEMORY = new ErrorType("MemoryError", EXCEPTION);
  public static final ErrorType OS = new ErrorType("OSError", EXCEPTION);
  public static final ErrorType TIMEOUT = new ErrorType("TimeoutError", OS);
  public static final ErrorType HOST = new ErrorType("HostError", RUNTIME);

  private final String name;
  private final @Nullable ErrorType parent;

  private ErrorType(String name, @Nullable ErrorType parent) {
    this.name = name;
    this.parent = parent;
    register(name, this);
  }

  private static void register(String name, ErrorType type) {
    ALL.put(name, type);
  }

  /// All kinds by their names.
  public static Map<String, ErrorType> all() {
    return Map.copyOf(ALL);
  }

  public String name() {
    return name;
  }

  /// Returns whether it is a kind, or belongs to it.
  public boolean isA(ErrorType other) {
    for (ErrorType at = this; at != null; at = at.parent) if (at == other) return true;
    return false;
  }

  @Override
  public Value call(Meter m, Value[] args, Named named) {
    if (!named.isEmpty()) throw Raise.type(name + "() takes no keyword arguments");
    m.charge(64);
    return new ErrorValue(this, args);
  }

  @Override
  public String label() {
    return name;
  }

  @Override
  public String typeName() {
    return "type";
  }
}
