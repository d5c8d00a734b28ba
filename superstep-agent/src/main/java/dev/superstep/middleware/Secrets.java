package dev.superstep.middleware;

import dev.superstep.middleware.Detector.Span;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/// Detectors of what opens doors: keys, tokens, passwords. Each takes a time that grows evenly with
/// the text, whatever is in it.
public final class Secrets {
  private static final int GIVEN_MIN = 6;
  private static final Pattern BEARER =
      Pattern.compile("(?i)(?<!\\w)bearer\\s{1,4}([A-Za-z0-9._~+/=-]{16,}+)");
  private static final Pattern JWT =
      Pattern.compile(
          "(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]{8,}+\\.[A-Za-z0-9_-]*+");
  private static final String PEM_BEGIN = "-----BEGIN ";
  private static final String PEM_KEY = "PRIVATE KEY-----";
  private static final int PEM_KIND_MAX = 30;

  private Secrets() {}

  /// Keys and tokens of well-known services, by how they begin (`sk-`, `ghp_`, `xoxb-`, `AIza` and
  /// so on) or by the name of the setting before them, passwords in addresses, and what stands
  /// after names such as `api_key` or `client_secret`.
  public static Detector apiKeys() {
    return Detector.of("api key", text -> SecretKinds.in("api key", false, text));
  }

  /// Tokens after the word `Bearer`, and JSON web tokens anywhere.
  public static Detector tokens() {
    return Detector.of(
        "token",
        text -> {
          var found = Detector.all("token", BEARER, 1, text);
          found.addAll(Detector.all("token", JWT, 0, text));
          return found;
        });
  }

  /// Ids of access keys of AWS, and the keys where they are named so.
  public static Detector awsKeys() {
    return Detector.of("aws key", text -> SecretKinds.in("aws key", true, text));
  }

  /// Private keys in PEM form, to their end or that of the text.
  public static Detector privateKeys() {
    return Detector.of("private key", Secrets::keys);
  }

  /// A text with `[redacted api key]` and the like in place of what all of these find.
  public static String hide(String text) {
    return new Redactor(List.of(all()), new Redaction.Named()).text(text);
  }

  /// These texts, wherever they are.
  ///
  /// @param secrets each of at least 6 characters
  public static Detector of(String... secrets) {
    if (secrets.length == 0) throw new IllegalArgumentException("secrets must hold one");
    for (var secret : secrets) {
      if (secret.length() < GIVEN_MIN) {
        throw new IllegalArgumentException(
            "secrets must have at least 6 characters each: shorter ones are part of other words");
      }
    }
    var given = List.of(secrets);
    return Detector.of("secret", text -> given(given, text));
  }

  /// These texts, wherever they are: as they stand, and as Base64 (also in the middle of what was
  /// encoded, and over line breaks), in hexadecimal digits, in addresses and in JSON strings.
  ///
  /// @param values of at least 4 characters each; shorter ones are not looked for
  public static Detector values(Collection<String> values) {
    return Detector.of("secret", new KnownValues(values));
  }

  /// All but those of given texts.
  public static Detector[] all() {
    return new Detector[] {apiKeys(), tokens(), awsKeys(), privateKeys()};
  }

  private static List<Span> given(List<String> secrets, String text) {
    var found = new ArrayList<Span>();
    for (var secret : secrets) {
      for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
        found.add(new Span(at, at + secret.length()));
      }
    }
    return found;
  }

  private static List<Span> keys(String text) {
    var found = new ArrayList<Span>();
    int at = text.indexOf(PEM_BEGIN);
    while (at >= 0) {
      int next = at + PEM_BEGIN.length();
      int most = Math.min(text.length(), next + PEM_KIND_MAX + PEM_KEY.length());
      int head = text.indexOf(PEM_KEY, next, most);
      if (head >= 0) {
        int tail = text.indexOf("-----END ", head);
        int end = tail < 0 ? -1 : text.indexOf(PEM_KEY, tail);
        next = end < 0 ? text.length() : end + PEM_KEY.length();
        found.add(new Span(at, next));
      }
      at = text.indexOf(PEM_BEGIN, next);
    }
    return found;
  }
}
