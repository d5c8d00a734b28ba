package dev.superstep.cli.screen;

/// A stroke on a keyboard, or what else comes from a terminal. Immutable.
public sealed interface Key {
  /// A character that can be seen, or a blank, typed on its own.
  record Typed(int codePoint) implements Key {}

  /// Text that came at once, faster than anybody types, with or without the marks of a paste.
  record Pasted(String text) implements Key {}

  /// Everything else.
  enum Named implements Key {
    ENTER,
    BACKSPACE,
    DELETE,
    LEFT,
    RIGHT,
    UP,
    DOWN,
    HOME,
    END,
    PAGE_UP,
    PAGE_DOWN,
    TAB,
    ESCAPE,
    /// Ctrl-C.
    INTERRUPT,
    /// Ctrl-D.
    END_OF_TEXT,
    /// Ctrl-U.
    ERASE,
    /// The size of the screen has changed.
    RESIZED,
    /// The terminal is gone.
    CLOSED,
    /// A sequence without a meaning here, such as an answer of the terminal to a query.
    UNKNOWN
  }
}
