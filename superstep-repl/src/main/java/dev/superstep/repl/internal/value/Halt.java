package dev.superstep.repl.internal.value;

/// The end of a cell that no script can catch. Has no stack trace: it is an answer, not a fault.
public final class Halt extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Cause cause;
  private final String code;

  /// The limits that end a cell.
  public enum Cause {
    OPERATIONS("operation-limit"),
    MEMORY("memory-limit"),
    OUTPUT("output-limit"),
    DEPTH("recursion-limit"),
    TIME("timeout"),
    CANCELLED("cancelled"),
    HOST("host");

    private final String word;

    Cause(String word) {
      this.word = word;
    }
  }

  public Halt(Cause cause, String message) {
    this(cause, cause.word, message);
  }

  private Halt(Cause cause, String code, String message) {
    super(message, null, false, false);
    this.cause = cause;
    this.code = code;
  }

  /// A cell that the host ended.
  public static Halt byHost(String code, String message) {
    return new Halt(Cause.HOST, code, message);
  }

  public Cause reason() {
    return cause;
  }

  /// The last part of the code of its diagnostic.
  public String code() {
    return code;
  }
}
