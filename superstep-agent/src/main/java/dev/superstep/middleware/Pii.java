package dev.superstep.middleware;

import dev.superstep.middleware.Detector.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Detectors of what tells who a person is. Each takes a time that grows evenly with the text,
/// whatever is in it.
public final class Pii {
  private static final int LOCAL_MAX = 64;
  private static final int DOMAIN_MAX = 255;
  private static final Pattern IPV4 =
      Pattern.compile("(?<![\\w.])(\\d{1,3})(?:\\.(\\d{1,3})){3}(?!\\w|\\.\\d)");
  private static final Pattern IPV6 =
      Pattern.compile(
          "(?<![\\w:])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:\\.\\d{1,3}){0,3}(?![\\w:])");
  private static final Pattern MAC =
      Pattern.compile(
          "(?<![\\w:-])(?:[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\\1[0-9A-Fa-f]{2}){4}"
              + "|[0-9A-Fa-f]{4}(?:\\.[0-9A-Fa-f]{4}){2})(?![\\w:-])");
  private static final Pattern URL =
      Pattern.compile("(?i)(?<!\\w)(?:(?:https?|ftp|wss?)://|www\\.)[^\\s<>\"'`\\\\]{1,2048}+");
  private static final Pattern IBAN =
      Pattern.compile("(?<![A-Za-z0-9])[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){11,30}+");

  private Pii() {}

  /// Addresses of electronic mail.
  public static Detector email() {
    return Detector.of("email", Pii::emails);
  }

  /// Numbers of payment cards: 13 to 19 digits with the right check digit, in groups or not.
  public static Detector creditCard() {
    return Detector.of("credit card", CardNumbers::in);
  }

  /// Internet addresses, of both versions.
  public static Detector ipAddress() {
    return Detector.of("ip address", Pii::addresses);
  }

  /// Addresses of network cards.
  public static Detector macAddress() {
    return Detector.of("mac address", text -> Detector.all("mac address", MAC, 0, text));
  }

  /// Addresses of web pages and the like.
  public static Detector url() {
    return Detector.of("url", Pii::urls);
  }

  /// Numbers of bank accounts with the right check digits.
  public static Detector iban() {
    return Detector.of("iban", Pii::ibans);
  }

  /// All of these.
  public static Detector[] all() {
    return new Detector[] {email(), creditCard(), iban(), ipAddress(), macAddress(), url()};
  }

  private static List<Span> emails(String text) {
    var found = new ArrayList<Span>();
    for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      int from = at;
      while (from > 0 && at - from < LOCAL_MAX && isLocal(text.charAt(from - 1))) from--;
      int to = at + 1;
      int most = Math.min(text.length(), at + 1 + DOMAIN_MAX);
      while (to < most && isDomain(text.charAt(to))) to++;
      while (to > at + 1 && !Character.isLetterOrDigit(text.charAt(to - 1))) to--;
      int dot = to - 1;
      while (dot > at && text.charAt(dot) != '.') dot--;
      if (from < at && dot > at + 1 && to - dot > 2) found.add(new Span(from, to));
    }
    return found;
  }

  private static boolean isLocal(char c) {
    return Character.isLetterOrDigit(c) || "._%+-!#$&'*/=?^{|}~".indexOf(c) >= 0;
  }

  private static boolean isDomain(char c) {
    return Character.isLetterOrDigit(c) || c == '.' || c == '-';
  }

  private static List<Span> addresses(String text) {
    var found = new ArrayList<Span>();
    var four = Detector.matcher(IPV4, text, "ip address");
    while (four.find()) {
      if (isFour(four.group())) found.add(new Span(four.start(), four.end()));
    }
    var six = Detector.matcher(IPV6, text, "ip address");
    while (six.find()) {
      if (isSix(six.group())) found.add(new Span(six.start(), six.end()));
    }
    return found;
  }

  private static boolean isFour(String text) {
    for (var part : text.split("\\.", -1)) if (Integer.parseInt(part) > 255) return false;
    return true;
  }

  private static boolean isSix(String text) {
    int gap = text.indexOf("::");
    if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) return false;
    boolean isCut = gap < 0 && (text.startsWith(":") || text.endsWith(":"));
    boolean isBroken = text.startsWith(":") && gap != 0;
    if (isCut || isBroken || text.chars().noneMatch(Character::isLetterOrDigit)) return false;
    int dot = text.indexOf('.');
    int groups = 0;
    for (var part : text.split(":", -1)) if (!part.isEmpty()) groups++;
    if (dot >= 0) {
      var four = text.substring(text.lastIndexOf(':') + 1);
      if (four.split("\\.", -1).length != 4 || !four.matches("[0-9.]+") || !isFour(four)) {
        return false;
      }
      groups++;
    }
    return gap >= 0 ? groups < 8 : groups == 8;
  }

  private static List<Span> urls(String text) {
    var found = new ArrayList<Span>();
    for (var span : Detector.all("url", URL, 0, text)) {
      int to = span.to();
      while (to > span.from() && ".,;:!?)]}".indexOf(text.charAt(to - 1)) >= 0) to--;
      found.add(new Span(span.from(), to));
    }
    return found;
  }

  private static List<Span> ibans(String text) {
    var found = new ArrayList<Span>();
    for (var span : Detector.all("iban", IBAN, 0, text)) {
      // Words in capitals may follow, so shorter ones count as well.
      for (int to = span.to(); to - span.from() >= 15; to--) {
        boolean isEnd = to == text.length() || !Character.isLetterOrDigit(text.charAt(to));
        if (!isEnd || !isIban(text.substring(span.from(), to))) continue;
        found.add(new Span(span.from(), to));
        break;
      }
    }
    return found;
  }

  private static boolean isIban(String text) {
    var plain = text.replace(" ", "");
    int rest = 0;
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt((i + 4) % plain.length());
      int value = c >= 'A' ? c - 'A' + 10 : c - '0';
      rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
    }
    return rest == 1;
  }
}
