package dev.superstep.model;

import java.util.UUID;

/// Tells a model from others of the same name: on another server, asked by another account, or
/// asked in another way. What [dev.superstep.middleware.Caching] may share replies by. Immutable.
///
/// @param digest gives nothing away of what it was made of
public record ModelIdentity(String digest) {
  public ModelIdentity {
    if (digest.isBlank()) throw new IllegalArgumentException("digest must not be blank");
  }

  /// The identity that is made of these: all that selects who answers and for whom, such as the
  /// vendor, the base URL, the key, and headers that name an organization or a project.
  public static ModelIdentity of(String first, String... more) {
    var all = new StringBuilder();
    add(first, all);
    for (var one : more) add(one, all);
    return new ModelIdentity(Digests.sha256(all.toString()));
  }

  /// With its length, so that no two lists make one text.
  private static void add(String text, StringBuilder to) {
    to.append(text.length()).append(' ').append(text);
  }

  /// An identity that no other model has, in any process.
  public static ModelIdentity unique() {
    return of("unique", UUID.randomUUID().toString());
  }
}
