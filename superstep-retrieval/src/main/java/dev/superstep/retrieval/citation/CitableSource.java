package dev.superstep.retrieval.citation;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A retrieved chunk that an answer can cite by its label. Immutable.
///
/// @param label as it stands in the brackets of a citation
/// @param chunk the id of the chunk
/// @param citation the place that a reader can look up
public record CitableSource(String label, String chunk, SourceLocation citation) {
  private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int LENGTH = 8;

  /// A chunk under a label that is made from its id, such as `c-k7f3qa2x`. It is the same in every
  /// search, run and process, so several searches of an agent need not agree on numbers.
  public static CitableSource of(Chunk chunk) {
    return new CitableSource(label(chunk.id()), chunk.id(), SourceLocation.of(chunk));
  }

  private static String label(String id) {
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      var label = new StringBuilder("c-");
      for (int i = 0; i < LENGTH; i++) label.append(DIGITS.charAt(hash[i] & 31));
      return label.toString();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
