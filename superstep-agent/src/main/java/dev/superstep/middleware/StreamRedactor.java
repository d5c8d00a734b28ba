package dev.superstep.middleware;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Takes secrets out of a text that arrives in pieces, also one that is cut between two of them.
/// What may be the beginning of a secret is held back until it is clear, at most 64 Ki characters;
/// a secret that is longer is dropped to its end. Only [Secrets] are sure to be found where they are
/// cut at a blank. One thread at a time.
///
/// ```java
/// var stream = redactor.stream();
/// for (var piece : pieces) show(stream.push(piece));
/// show(stream.finish());
/// ```
public final class StreamRedactor {
  private static final int HELD_MAX = 64 * 1024;

  /// A word longer than this holds no secret that has not shown itself by then.
  private static final int WORD_MAX = 8 * 1024;

  private static final int RESCAN_FROM = 4 * 1024;
  private static final int RESCAN_STEP = 2 * 1024;

  /// What patterns look at before a secret: the name of a setting.
  private static final int CONTEXT = 512;

  private static final String PEM = "-----BEGIN ";
  private static final String PEM_END = "-----END ";
  private static final int PEM_HEAD_MAX = 64;

  private final List<Detector> detectors;
  private final Redactor redactor;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private ByteBuffer undecoded = ByteBuffer.allocate(0);

  /// What was given out already and is looked at as context, then what is held back.
  private String text = "";

  private int released;
  private int scanned;
  private Dropping dropping = Dropping.NOTHING;

  private enum Dropping {
    NOTHING,
    WORD,
    KEY
  }

  StreamRedactor(List<Detector> detectors) {
    this.detectors = detectors;
    this.redactor = new Redactor(detectors, new Redaction.Named());
  }

  /// Takes a piece and returns what is clear by now, maybe nothing.
  public String push(String piece) {
    text += piece;
    if (dropping != Dropping.NOTHING && !dropped()) return "";
    // What is held anyway is not looked at again for every few characters that come.
    boolean isLong = text.length() - released > RESCAN_FROM;
    if (isLong && text.length() - scanned < RESCAN_STEP) return "";
    return release(openFrom(), false);
  }

  /// Takes bytes of UTF-8, which may end within a character. Malformed ones become `U+FFFD`.
  public String push(byte[] bytes, int from, int length) {
    var in = ByteBuffer.allocate(undecoded.remaining() + length);
    in.put(undecoded).put(bytes, from, length).flip();
    var out = CharBuffer.allocate(in.remaining() + 1);
    decoder.decode(in, out, false);
    undecoded = in.slice();
    return push(out.flip().toString());
  }

  /// Returns the rest. Nothing may be pushed after it.
  public String finish() {
    if (undecoded.hasRemaining()) text += "\uFFFD";
    undecoded = ByteBuffer.allocate(0);
    if (dropping != Dropping.NOTHING && !dropped()) return "";
    return release(text.length(), true);
  }

  /// Drops what belongs to a secret that was too long, and returns whether its end was there.
  private boolean dropped() {
    int end = dropping == Dropping.KEY ? endOfKey() : endOfWord(released);
    if (end < 0) {
      // The marker of the end may be cut as well.
      cut(Math.max(released, text.length() - PEM_HEAD_MAX));
      return false;
    }
    dropping = Dropping.NOTHING;
    cut(end);
    return true;
  }

  private int endOfKey() {
    int tail = text.indexOf(PEM_END, released);
    int end = tail < 0 ? -1 : text.indexOf("KEY-----", tail);
    return end < 0 ? -1 : end + "KEY-----".length();
  }

  private int endOfWord(int from) {
    for (int i = from; i < text.length(); i++) {
      if (Character.isWhitespace(text.charAt(i))) return i;
    }
    return -1;
  }

  private void cut(int at) {
    text = text.substring(at);
    released = 0;
  }

  /// Where what may still grow into a secret begins.
  private int openFrom() {
    int open = text.length();
    while (open > released && !Character.isWhitespace(text.charAt(open - 1))) open--;
    if (text.length() - open > WORD_MAX) open = text.length() - WORD_MAX / 2;
    int head = text.indexOf(PEM, Math.max(0, text.length() - PEM_HEAD_MAX));
    if (head >= 0) open = Math.min(open, head);
    for (var detector : detectors) open = Math.min(open, detector.openFrom(text));
    return Math.max(open, released);
  }

  private String release(int to, boolean isLast) {
    var finds = redactor.finds(text);
    for (int i = finds.size() - 1; i >= 0; i--) {
      var find = finds.get(i);
      boolean isOpen = find.to() > to || (find.to() == text.length() && !isLast);
      if (isOpen && find.from() < to && find.from() >= released) to = find.from();
    }
    if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) to--;
    to = Math.max(to, released);
    var out = new StringBuilder();
    int at = released;
    for (var find : finds) {
      if (find.from() >= to) break;
      if (find.to() <= at) continue;
      if (find.from() >= at) {
        out.append(text, at, find.from()).append(redactor.inPlaceOf(find, text));
      }
      at = find.to();
    }
    if (at < to) out.append(text, at, to);
    released = Math.max(at, to);
    if (text.length() - released > HELD_MAX) dropRest(finds, out);
    else trim();
    scanned = text.length();
    return out.toString();
  }

  /// Gives up on the end of a secret that is longer than what is held.
  private void dropRest(List<Redactor.Find> finds, StringBuilder out) {
    for (var find : finds) {
      if (find.from() != released) continue;
      out.append(redactor.inPlaceOf(find, text));
      dropping = text.startsWith(PEM, released) ? Dropping.KEY : Dropping.WORD;
      cut(text.length() - PEM_HEAD_MAX);
      return;
    }
    out.append(text, released, text.length() - WORD_MAX);
    released = text.length() - WORD_MAX;
    trim();
  }

  private void trim() {
    int from = released - CONTEXT;
    if (from <= 0) return;
    if (Character.isLowSurrogate(text.charAt(from))) from--;
    text = text.substring(from);
    released -= from;
  }
}
