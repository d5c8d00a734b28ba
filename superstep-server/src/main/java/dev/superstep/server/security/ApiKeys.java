package dev.superstep.server.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Knows principals by keys, in the header `X-Api-Key` or as `Authorization: Bearer KEY`. Keeps
/// digests of the keys only. Immutable.
///
/// Keys come from lines `NAME KEY PERMISSION,PERMISSION`; the key may be its digest, as `sha256:`
/// and 64 hex digits, and what follows a `#` is a comment. With `read` alone, a key may read,
/// search and listen; with `write`, or without permissions, it may do everything. A server without
/// an [Authorizer] of its own keeps to that; others ask [#permissions()].
public final class ApiKeys implements Authenticator {
  /// The fewest characters of a key.
  public static final int LENGTH_MIN = 16;

  private static final int LENGTH_MAX = 4_096;
  private static final String DIGEST = "sha256:";
  private static final String BEARER = "bearer ";
  private static final String READ = "read";
  private static final String WRITE = "write";
  private static final Set<String> KNOWN = Set.of(READ, WRITE);
  private final List<Key> keys;

  /// A key of a principal.
  @SuppressWarnings("ArrayRecordComponent") // Compared in constant time, never by equals.
  private record Key(Principal principal, byte[] digest) {}

  private ApiKeys(List<Key> keys) {
    this.keys = List.copyOf(keys);
  }

  /// Reads keys from a file of lines.
  ///
  /// @throws IOException if it cannot be read
  /// @throws IllegalArgumentException if a line is malformed; the message has its number, no key
  public static ApiKeys read(Path file) throws IOException {
    return parse(Files.readString(file));
  }

  /// Reads keys from lines, which may end with `;` as well, such as in a variable of the
  /// environment.
  ///
  /// @throws IllegalArgumentException if a line is malformed; the message has its number, no key
  public static ApiKeys parse(String text) {
    var keys = new ArrayList<Key>();
    var names = new HashSet<String>();
    int number = 0;
    for (var raw : text.split("[\\n;]", -1)) {
      number++;
      int comment = raw.indexOf('#');
      var line = (comment < 0 ? raw : raw.substring(0, comment)).strip();
      if (line.isEmpty()) continue;
      var key = key(line, number);
      if (!names.add(key.principal().id())) {
        throw malformed(number, "has the name `" + key.principal().id() + "` again");
      }
      keys.add(key);
    }
    if (keys.isEmpty()) throw new IllegalArgumentException("there is no key; add a line NAME KEY");
    return new ApiKeys(keys);
  }

  private static Key key(String line, int number) {
    var words = line.split("\\s+", -1);
    if (words.length < 2 || words.length > 3) {
      throw malformed(number, "must be NAME KEY or NAME KEY PERMISSION,PERMISSION");
    }
    var permissions = words.length == 3 ? Set.of(words[2].split(",", -1)) : Set.<String>of();
    if (!KNOWN.containsAll(permissions)) {
      // A word that is not known may be a key in the wrong place.
      throw malformed(number, "has an unknown permission; known are `read` and `write`");
    }
    return new Key(new Principal(words[0], permissions, Map.of()), digest(words[1], number));
  }

  private static byte[] digest(String key, int number) {
    if (key.startsWith(DIGEST)) {
      var hex = key.substring(DIGEST.length());
      if (!hex.matches("[0-9a-fA-F]{64}"))
        throw malformed(number, "needs 64 hex digits in sha256:");
      return HexFormat.of().parseHex(hex);
    }
    if (key.length() < LENGTH_MIN) {
      throw malformed(number, "has a key with fewer than " + LENGTH_MIN + " characters");
    }
    return sha256(key);
  }

  private static IllegalArgumentException malformed(int number, String why) {
    return new IllegalArgumentException("line " + number + " of the keys " + why);
  }

  @Override
  public Optional<Principal> authenticate(Credentials credentials) {
    var shown = credentials.header("x-api-key").or(() -> bearer(credentials));
    if (shown.isEmpty() || shown.get().length() > LENGTH_MAX) return Optional.empty();
    var digest = sha256(shown.get());
    @Nullable Principal found = null;
    // All are compared, each whole, so that the time tells nothing.
    for (var key : keys) {
      if (MessageDigest.isEqual(key.digest(), digest)) found = key.principal();
    }
    return Optional.ofNullable(found);
  }

  /// Decides by the permissions of the keys. Lets all other principals do everything: the words of
  /// a token are those of its issuer.
  public Authorizer permissions() {
    return (who, what) -> {
      boolean isLimited =
          who.permissions().contains(READ)
              && !who.permissions().contains(WRITE)
              && keys.stream().anyMatch(key -> key.principal().equals(who));
      if (!isLimited || what.action().isReading()) return Authorizer.Decision.ALLOWED;
      return new Authorizer.Decision.Denied(
          "The key has the permission `read` only; " + what.name() + " needs `write`.");
    };
  }

  static Optional<String> bearer(Credentials credentials) {
    return credentials
        .header("authorization")
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /// Tells no key.
  @Override
  public String toString() {
    return "ApiKeys" + keys.stream().map(key -> key.principal().id()).toList();
  }
}
