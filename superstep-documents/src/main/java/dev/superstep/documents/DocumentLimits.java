package dev.superstep.documents;

import java.time.Duration;

/// Limits on a document, so that a hostile one costs little. A document beyond one of them fails
/// alone. Immutable; the `with` methods return changed copies.
///
/// @param maxBytes the size of the file
/// @param maxCharacters the length of the text that a parser extracts
/// @param maxBlocks the number of blocks
/// @param maxDepth the nesting of elements, such as lists in lists
/// @param maxTime the time that a parser of PDF or office files may take; those of text, Markdown
///   and HTML take a time in proportion to the size
public record DocumentLimits(
    int maxBytes, int maxCharacters, int maxBlocks, int maxDepth, Duration maxTime) {
  /// @throws IllegalArgumentException if a limit is not positive
  public DocumentLimits {
    if (maxBytes < 1 || maxCharacters < 1 || maxBlocks < 1 || maxDepth < 1) {
      throw new IllegalArgumentException(
          "limits must be positive, were %d, %d, %d, %d"
              .formatted(maxBytes, maxCharacters, maxBlocks, maxDepth));
    }
    if (!maxTime.isPositive()) {
      throw new IllegalArgumentException("maxTime must be positive, was " + maxTime);
    }
  }

  /// 50 MB, 10 million characters, 200,000 blocks, a depth of 200, and a minute.
  public static DocumentLimits standard() {
    return new DocumentLimits(50_000_000, 10_000_000, 200_000, 200, Duration.ofMinutes(1));
  }

  /// Returns a copy with another size of files.
  public DocumentLimits withMaxBytes(int bytes) {
    return new DocumentLimits(bytes, maxCharacters, maxBlocks, maxDepth, maxTime);
  }

  /// Returns a copy with another length of texts.
  public DocumentLimits withMaxCharacters(int characters) {
    return new DocumentLimits(maxBytes, characters, maxBlocks, maxDepth, maxTime);
  }

  /// Returns a copy with another number of blocks.
  public DocumentLimits withMaxBlocks(int blocks) {
    return new DocumentLimits(maxBytes, maxCharacters, blocks, maxDepth, maxTime);
  }

  /// Returns a copy with another depth.
  public DocumentLimits withMaxDepth(int depth) {
    return new DocumentLimits(maxBytes, maxCharacters, maxBlocks, depth, maxTime);
  }

  /// Returns a copy with another time.
  public DocumentLimits withMaxTime(Duration time) {
    return new DocumentLimits(maxBytes, maxCharacters, maxBlocks, maxDepth, time);
  }
}
