package dev.superstep.terminal;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Fits pieces into what a model is shown: the critical ones always, then the weightiest until 80 %
/// of the room is taken, then the rest in one line each as long as there is room. What is left out
/// is counted. Pieces that are not trusted are JSON strings inside a fence that nobody can guess.
final class ContextWindow {
  private static final double FULL = 0.8;
  private static final int LINE_MAX = 120;
  private static final int NONCE_CHARS = 32;

  private final int room;
  private final int excerpt;
  private final String nonce;

  /// @param room the most characters
  /// @param excerpt the most characters of one piece
  /// @param nonce of the fences: [#nonce]
  ContextWindow(int room, int excerpt, String nonce) {
    this.room = room;
    this.excerpt = excerpt;
    this.nonce = nonce;
  }

  /// The nonce of one request: the same when its node runs again, and not to be guessed by whoever
  /// does not know the conversation's secret.
  static String nonce(String secret, String task) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var hash = mac.doFinal(task.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash).substring(0, NONCE_CHARS);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new AssertionError("every JDK has HmacSHA256", e);
    }
  }

  /// The text of those pieces for which there is room, in their order.
  String fit(List<ContextPiece> pieces) {
    var whole = new HashSet<ContextPiece>();
    var shortened = new HashSet<ContextPiece>();
    long critical = pieces.stream().filter(ContextPiece::isCritical).count();
    // Critical pieces always stay; if they are too long together, each is shown in part.
    int each = critical == 0 ? excerpt : (int) Math.min(excerpt, room / critical);
    int used = 0;
    for (var piece : pieces) {
      if (!piece.isCritical()) continue;
      whole.add(piece);
      used += shown(piece, each).length();
    }
    var others =
        pieces.stream()
            .filter(piece -> !piece.isCritical())
            .sorted(Comparator.comparingDouble(ContextPiece::weight).reversed())
            .toList();
    for (var piece : others) {
      int length = shown(piece, each).length();
      if (used + length <= FULL * room) {
        whole.add(piece);
        used += length;
      } else if (used + line(piece).length() <= room) {
        shortened.add(piece);
        used += line(piece).length();
      }
    }
    var text = new ArrayList<String>();
    int left = 0;
    for (var piece : pieces) {
      if (whole.contains(piece)) text.add(shown(piece, each));
      else if (shortened.contains(piece)) text.add(line(piece));
      else left++;
    }
    if (left > 0) text.add("(" + left + " older pieces are left out)");
    return String.join("\n", text);
  }

  private String shown(ContextPiece piece, int most) {
    var cut = Excerpt.of(piece.text(), most);
    if (piece.provenance().isTrusted()) return piece.label() + ": " + cut.text();
    return "<<<%s %s %s\n%s\n%s>>>"
        .formatted(nonce, piece.provenance(), piece.label(), ModelCalls.quoted(cut.text()), nonce);
  }

  private String line(ContextPiece piece) {
    if (!piece.provenance().isTrusted()) return piece.label() + " (output left out)";
    return piece.label()
        + ": "
        + Excerpt.of(piece.text().lines().findFirst().orElse(""), LINE_MAX).text();
  }
}
