package dev.superstep.repl.host;

import static java.util.Objects.requireNonNull;

import java.util.Objects;

/// A call of a host function that came to nothing. A script can catch it unless it ends the cell.
public final class HostFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final String code;
  private final boolean ends;

  private HostFailure(String code, String message, boolean ends) {
    super(requireNonNull(message, "message"));
    this.code = requireNonNull(code, "code");
    this.ends = ends;
  }

  /// A failure that a script can catch, such as an error of a tool.
  ///
  /// @param code such as `tool-error`; a script sees it as `code` of the exception
  public static HostFailure catchable(String code, String message) {
    return new HostFailure(code, message, false);
  }

  /// A failure that ends the cell, such as a spent budget. A script cannot catch it.
  ///
  /// @param code such as `call-limit`
  public static HostFailure fatal(String code, String message) {
    return new HostFailure(code, message, true);
  }

  public String code() {
    return code;
  }

  /// Returns whether it ends the cell.
  public boolean ends() {
    return ends;
  }

  /// The sentence for the reader.
  public String reason() {
    return Objects.requireNonNullElse(getMessage(), code);
  }
}
