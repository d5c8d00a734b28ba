package dev.superstep.repl.host;

/// A text that may be far larger than the heap, read by pieces. Positions count code points.
///
/// A session reads it from one thread at a time; a source given to several sessions must be safe
/// for use by several threads.
public interface TextSource {
  /// The number of code points.
  long length();

  /// The code points from one position up to another.
  ///
  /// @param from 0 or more
  /// @param to at most [#length], and at most 1,048,576 more than `from`
  String read(long from, long to);

  /// A text that is in memory already.
  static TextSource of(String text) {
    return new PlainText(text);
  }
}
