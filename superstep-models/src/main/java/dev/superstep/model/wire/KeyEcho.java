package dev.superstep.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Finds a key in what a vendor says, also where it is encoded, or only a part of it is left, such
/// as `sk-...abcd`. Takes a time that grows evenly with the text. Immutable.
final class KeyEcho {
  private static final String HIDDEN = "***";

  /// Parts of a key that are this long are no words of others.
  private static final int PART = 8;

  /// So many characters of the key beside a mask give it away.
  private static final int END_MIN = 2;

  private static final int END_MAX = 24;
  private static final String MASK = "*.…•xX#_-";
  private static final int MASK_MIN = 3;

  private final String key;
  private final List<String> forms;
  private final Set<String> parts;

  KeyEcho(String key) {
    this.key = key;
    this.forms = forms(key);
    this.parts = new HashSet<>();
    for (int i = 0; i + PART <= key.length(); i++) parts.add(key.substring(i, i + PART));
  }

  /// The ways in which the whole key is written, the longest first.
  private static List<String> forms(String key) {
    var bytes = key.getBytes(UTF_8);
    var all = new ArrayList<String>();
    all.add(key);
    all.add(URLEncoder.encode(key, UTF_8));
    all.add(key.replace("/", "\\/"));
    // Inside of a longer text that is encoded, it begins at one of three places.
    for (int shift = 0; shift < 3 && bytes.length >= PART; shift++) {
      var shifted = new byte[shift + bytes.length];
      System.arraycopy(bytes, 0, shifted, shift, bytes.length);
      int from = shift == 0 ? 0 : shift + 1;
      for (var encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
        var text = encoder.withoutPadding().encodeToString(shifted);
        // The last character depends on what follows.
        int end = (shifted.length % 3 == 0) ? text.length() : text.length() - 1;
        all.add(text.substring(from, end));
      }
    }
    return all.stream().distinct().sorted(Comparator.comparingInt(f -> -f.length())).toList();
  }

  /// The text without the key.
  String hide(String text) {
    var hidden = text;
    for (var form : forms) if (!form.isEmpty()) hidden = hidden.replace(form, HIDDEN);
    if (key.length() < PART) return hidden;
    return withoutEnds(withoutParts(hidden));
  }

  /// Hides each run of characters that is a part of the key.
  private String withoutParts(String text) {
    if (text.length() < PART) return text;
    var out = new StringBuilder(text.length());
    int covered = 0;
    boolean isHidden = false;
    for (int i = 0; i < text.length(); i++) {
      boolean begins = i + PART <= text.length() && parts.contains(text.substring(i, i + PART));
      if (begins) covered = Math.max(covered, i + PART);
      if (i >= covered) {
        out.append(text.charAt(i));
        isHidden = false;
      } else if (!isHidden) {
        out.append(HIDDEN);
        isHidden = true;
      }
    }
    return out.toString();
  }

  /// Hides the beginning and the end of the key beside what masks the rest of it.
  private String withoutEnds(String text) {
    var out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      int end = at;
      while (end < text.length() && MASK.indexOf(text.charAt(end)) >= 0) end++;
      if (!isMask(text, at, end)) {
        end = Math.max(end, at + 1);
        out.append(text, at, end);
        at = end;
        continue;
      }
      int before = beginning(out);
      int after = ending(text, end);
      if (before == 0 && after == 0) out.append(text, at, end);
      else out.replace(out.length() - before, out.length(), HIDDEN);
      at = end + after;
    }
    return out.toString();
  }

  private static boolean isMask(String text, int from, int to) {
    int length = to - from;
    return length >= MASK_MIN || (length > 0 && text.indexOf('…', from) == from);
  }

  /// Counts the characters at the end of a text that are the beginning of the key.
  private int beginning(StringBuilder text) {
    for (int length = Math.min(most(), text.length()); length >= END_MIN; length--) {
      int from = text.length() - length;
      boolean isWhole = from == 0 || !Character.isLetterOrDigit(text.charAt(from - 1));
      if (isWhole && key.startsWith(text.substring(from))) return length;
    }
    return 0;
  }

  /// Counts the characters of a text, from this index on, that are the end of the key.
  private int ending(String text, int from) {
    for (int length = Math.min(most(), text.length() - from); length >= END_MIN; length--) {
      int to = from + length;
      boolean isWhole = to == text.length() || !Character.isLetterOrDigit(text.charAt(to));
      if (isWhole && key.endsWith(text.substring(from, to))) return length;
    }
    return 0;
  }

  private int most() {
    return Math.min(END_MAX, key.length());
  }
}
