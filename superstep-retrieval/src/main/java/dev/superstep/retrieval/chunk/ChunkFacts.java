package dev.superstep.retrieval.chunk;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The facts about a chunk that a [ChunkFilter] can ask for, each as a short term, so that a
/// storage can keep them in an index of terms. Terms are digests, because a term has a limit and a
/// value has none. A stored form: the same in every process and version.
public final class ChunkFacts {
  private static final String SOURCE = "source";
  private static final String HAS = "has";
  private static final String IS = "is";
  private static final int DIGEST_BYTES = 16;

  private ChunkFacts() {}

  /// The terms of all facts about a chunk.
  public static List<String> of(Chunk chunk) {
    var facts = new ArrayList<String>();
    facts.add(source(chunk.provenance().source()));
    chunk
        .metadata()
        .forEach((key, value) -> {
          facts.add(has(key));
          facts.add(is(key, value));
        });
    return facts;
  }

  /// The term of chunks with this value under the key.
  public static String is(String key, String value) {
    return term(IS, key, value);
  }

  /// The term of chunks with the key.
  public static String has(String key) {
    return term(HAS, key, "");
  }

  /// The term of chunks from this source.
  public static String source(String source) {
    return term(SOURCE, "", source);
  }

  private static String term(String kind, String key, String value) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var part : List.of(kind, key)) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        // No byte of UTF-8, so that no two facts look the same.
        digest.update((byte) 0xff);
      }
      digest.update(value.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
