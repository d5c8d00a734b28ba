package dev.superstep.middleware;

import dev.superstep.middleware.Detector.Span;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Finds given texts wherever they are: as they stand, and as Base64 (also in the middle of what
/// was encoded, and over line breaks), in hexadecimal digits, in addresses and in JSON strings.
/// Takes a time that grows evenly with the text. Immutable.
final class KnownValues implements Detector.Finder {
  private static final int KEY = 4;
  private static final int PIECE_MAX = 1024;
  private static final int PIECE_OVERLAP = 64;

  /// Shorter encoded forms are part of other words.
  private static final int ENCODED_MIN = 8;

  private final BitSet keys = new BitSet(1 << 16);
  private final Map<Integer, List<String>> forms = new HashMap<>();
  private int longest;

  KnownValues(Collection<String> values) {
    var all = new LinkedHashSet<String>();
    for (var value : values) pieces(value).forEach(piece -> addForms(piece, all));
    for (var form : all) {
      int key = key(form, 0);
      keys.set(key);
      forms.computeIfAbsent(key, _ -> new ArrayList<>()).add(form);
      longest = Math.max(longest, form.length());
    }
  }

  /// Long values are looked for in pieces, so that what a stream holds back is bounded; and lines
  /// one by one, since programs print them so.
  private static List<String> pieces(String value) {
    var pieces = new ArrayList<String>();
    var lines = value.lines().map(String::strip).filter(l -> l.length() >= 16).toList();
    if (value.length() <= PIECE_MAX) pieces.add(value);
    if (lines.size() > 1 || value.length() > PIECE_MAX) {
      for (var line : lines) {
        for (int at = 0; at < line.length(); at += PIECE_MAX - PIECE_OVERLAP) {
          var piece = line.substring(at, Math.min(line.length(), at + PIECE_MAX));
          if (piece.length() >= 16) pieces.add(piece);
        }
      }
    }
    return pieces;
  }

  private static void addForms(String value, Set<String> to) {
    if (value.length() < KEY) return;
    to.add(value);
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    for (int before = 0; before < 3; before++) {
      var shifted = new byte[before + bytes.length];
      System.arraycopy(bytes, 0, shifted, before, bytes.length);
      // The first and the last letter also hold bits of what stands around.
      int from = before == 0 ? 0 : before + 1;
      int end = shifted.length * 8 / 6;
      if (end - from < ENCODED_MIN) continue;
      to.add(Base64.getEncoder().encodeToString(shifted).substring(from, end));
      to.add(Base64.getUrlEncoder().encodeToString(shifted).substring(from, end));
    }
    var hex = HexFormat.of().formatHex(bytes);
    if (hex.length() >= ENCODED_MIN) {
      to.add(hex);
      to.add(hex.toUpperCase(Locale.ROOT));
    }
    var form = URLEncoder.encode(value, StandardCharsets.UTF_8);
    to.add(form);
    to.add(form.replace("+", "%20"));
    to.add(lower(form.replace("+", "%20")));
    to.add(lower(form));
    to.add(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"));
  }

  /// An address with its escapes in lower case.
  private static String lower(String encoded) {
    var lower = new StringBuilder(encoded);
    for (int i = lower.indexOf("%"); i >= 0; i = lower.indexOf("%", i + 1)) {
      for (int d = i + 1; d <= i + 2; d++) {
        lower.setCharAt(d, Character.toLowerCase(lower.charAt(d)));
      }
    }
    return lower.toString();
  }

  @Override
  public List<Span> in(String text) {
    var found = new ArrayList<Span>();
    find(text, found);
    if (text.indexOf('\n') >= 0) {
      var joined = Joined.of(text);
      var wrapped = new ArrayList<Span>();
      find(joined.text(), wrapped);
      wrapped.forEach(span -> found.add(joined.original(span)));
    }
    return found;
  }

  private void find(String text, List<Span> found) {
    for (int at = 0; at + KEY <= text.length(); at++) {
      int key = key(text, at);
      if (!keys.get(key)) continue;
      for (var form : forms.getOrDefault(key, List.of())) {
        if (text.startsWith(form, at)) found.add(new Span(at, at + form.length()));
      }
    }
  }

  /// Where the end of a text begins that may be the beginning of one of them; its length if there
  /// is none.
  @Override
  public int openFrom(String text) {
    int open = openFromPlain(text);
    if (text.indexOf('\n') < 0) return open;
    var joined = Joined.of(text);
    int wrapped = openFromPlain(joined.text());
    if (wrapped >= joined.text().length()) return open;
    return Math.min(open, joined.at()[wrapped]);
  }

  private int openFromPlain(String text) {
    for (int at = Math.max(0, text.length() - longest); at < text.length(); at++) {
      if (isOpenAt(text, at)) return at;
    }
    return text.length();
  }

  private boolean isOpenAt(String text, int at) {
    int rest = text.length() - at;
    if (rest >= KEY) {
      int key = key(text, at);
      return keys.get(key) && isBegun(forms.getOrDefault(key, List.of()), text, at, rest);
    }
    for (var some : forms.values()) if (isBegun(some, text, at, rest)) return true;
    return false;
  }

  private static boolean isBegun(List<String> forms, String text, int at, int rest) {
    for (var form : forms) {
      if (form.length() > rest && form.regionMatches(0, text, at, rest)) return true;
    }
    return false;
  }

  private static int key(String text, int at) {
    int key = 0;
    for (int i = at; i < at + KEY; i++) key = key * 31 + text.charAt(i);
    return (key ^ key >>> 16) & 0xFFFF;
  }

  /// A text without its line breaks, and where each character was.
  private record Joined(String text, int[] at) {
    static Joined of(String text) {
      var joined = new StringBuilder(text.length());
      var at = new int[text.length()];
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\n' || c == '\r') continue;
        at[joined.length()] = i;
        joined.append(c);
      }
      return new Joined(joined.toString(), at);
    }

    Span original(Span span) {
      return new Span(at[span.from()], at[span.to() - 1] + 1);
    }
  }
}
