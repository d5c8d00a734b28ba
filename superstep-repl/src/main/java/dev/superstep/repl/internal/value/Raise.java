package dev.superstep.repl.internal.value;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An exception of the script on its way to whoever catches it. Has no Java stack trace; collects
/// the places in the source instead.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
public final class Raise extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final int PLACES_MAX = 12;

  private final transient ErrorValue error;
  private final transient List<Place> places = new ArrayList<>(2);
  private transient @Nullable Object last;

  /// A place in the source of a cell.
  ///
  /// @param function empty outside of functions
  public record Place(Source source, Span span, String function) {}

  public Raise(ErrorValue error) {
    super(null, null, false, false);
    this.error = error;
  }

  public static Raise of(ErrorType type, String message) {
    return new Raise(new ErrorValue(type, new Str(message)));
  }

  public static Raise type(String message) {
    return of(ErrorType.TYPE, message);
  }

  public static Raise value(String message) {
    return of(ErrorType.VALUE, message);
  }

  public static Raise index(String message) {
    return of(ErrorType.INDEX, message);
  }

  public static Raise overflow(String message) {
    return of(ErrorType.OVERFLOW, message);
  }

  public static Raise zero(String message) {
    return of(ErrorType.ZERO_DIVISION, message);
  }

  public static Raise attribute(String message) {
    return of(ErrorType.ATTRIBUTE, message);
  }

  public static Raise key(Value key) {
    return new Raise(new ErrorValue(ErrorType.KEY, key));
  }

  public ErrorValue error() {
    return error;
  }

  /// Adds the place of the statement that it passes, if it is the first of its call.
  public void passes(Object call, Place place) {
    if (last == call) return;
    last = call;
    if (places.size() < PLACES_MAX) places.add(place);
  }

  /// The statements that it passed, innermost first; at most 12.
  public List<Place> places() {
    return places;
  }
}
