package dev.superstep.repl;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import java.util.List;

/// The reason why a cell did not get to its end. Immutable.
///
/// @param code such as `E-ragsh-operation-limit`
/// @param kind of error
/// @param type of the exception, such as `KeyError`; empty for what no script can catch
/// @param places where it happened, innermost call first; at most 12
public record CellError(String code, Kind kind, String type, String message, List<Place> places) {
  public CellError {
    places = List.copyOf(places);
  }

  /// The codes of an interpreter in a process of its own that died or broke its protocol. Nothing
  /// is left of the cell, and another run of it need not end so.
  private static final String OF_BACKEND = "E-ragsh-backend-";

  /// Returns whether this is the code of a cell that was undone because its interpreter was lost.
  public static boolean isLoss(String code) {
    return code.startsWith(OF_BACKEND);
  }

  /// The kinds of ends.
  public enum Kind {
    /// Found before anything ran.
    REJECTED,
    /// An exception that nothing caught.
    RAISED,
    /// A limit, the time, a cancel or the host: nothing in the script can catch it.
    ENDED
  }

  /// A line of a cell.
  ///
  /// @param function empty outside of functions
  public record Place(Source cell, Span span, String function) {}
}
