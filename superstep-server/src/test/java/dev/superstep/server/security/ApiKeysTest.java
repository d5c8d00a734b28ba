package dev.superstep.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("SV3")
final class ApiKeysTest {
  private static final String ANN = "ann-has-a-long-key";
  private static final String BOB = "bob-has-another-key";

  /// The digest of [#BOB], as `sha256sum` prints it.
  private static final String BOB_DIGEST =
      "sha256:" + java.util.HexFormat.of().formatHex(sha256(BOB));

  private static byte[] sha256(String text) {
    try {
      return java.security.MessageDigest.getInstance("SHA-256")
          .digest(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Authenticator.Credentials headers(Map<String, String> headers) {
    return name -> Optional.ofNullable(headers.get(name));
  }

  private static Authenticator.Credentials key(String key) {
    return headers(Map.of("x-api-key", key));
  }

  @Test
  void keys_are_read_from_a_file_plain_or_as_digests(@TempDir Path folder) throws Exception {
    var file = folder.resolve("keys");
    Files.writeString(
        file,
        """
        # who may use the agents
        ann %s read,write
        bob %s   # kept as a digest
        """
            .formatted(ANN, BOB_DIGEST));
    var keys = ApiKeys.read(file);

    assertThat(keys.authenticate(key(ANN)))
        .hasValue(new Principal("ann", Set.of("read", "write"), Map.of()));
    assertThat(keys.authenticate(key(BOB))).map(Principal::id).hasValue("bob");
    assertThat(keys.authenticate(headers(Map.of("authorization", "Bearer " + BOB))))
        .map(Principal::id)
        .hasValue("bob");
  }

  @Test
  void other_keys_show_nobody() {
    var keys = ApiKeys.parse("ann " + ANN + "; bob " + BOB_DIGEST);

    assertThat(keys.authenticate(key(""))).isEmpty();
    assertThat(keys.authenticate(key(ANN + " "))).isEmpty();
    assertThat(keys.authenticate(key(BOB_DIGEST))).isEmpty();
    assertThat(keys.authenticate(key("x".repeat(10_000)))).isEmpty();
    assertThat(keys.authenticate(headers(Map.of()))).isEmpty();
    assertThat(keys.authenticate(headers(Map.of("authorization", "Basic " + ANN)))).isEmpty();
  }

  @Test
  void permissions_are_known_words_and_unknown_ones_are_refused_without_telling_them() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKeys.parse("ann " + ANN + " read\nbob " + BOB + " read," + ANN))
        .withMessage("line 2 of the keys has an unknown permission; known are `read` and `write`");
  }

  @Test
  void a_key_with_read_alone_changes_nothing_and_others_do_everything() {
    var keys =
        ApiKeys.parse(
            "ann %s read; bob %s read,write; eve eve-has-one-as-well".formatted(ANN, BOB));
    var ann = keys.authenticate(key(ANN)).orElseThrow();
    var bob = keys.authenticate(key(BOB)).orElseThrow();
    var eve = keys.authenticate(key("eve-has-one-as-well")).orElseThrow();
    var token = new Principal("of-a-token", Set.of("read"), Map.of());

    var refused = new TreeSet<Access.Action>();
    for (var action : Access.Action.values()) {
      var wanted = new Access(Access.Resource.THREADS, action, Json.ofNull());
      var permissions = keys.permissions();
      if (permissions.decide(ann, wanted) instanceof Authorizer.Decision.Denied)
        refused.add(action);
      for (var other : List.of(bob, eve, token)) {
        assertThat(permissions.decide(other, wanted)).isEqualTo(Authorizer.Decision.ALLOWED);
      }
    }
    assertThat(refused)
        .containsExactly(
            Access.Action.CREATE,
            Access.Action.UPDATE,
            Access.Action.DELETE,
            Access.Action.CREATE_RUN,
            Access.Action.PUT);
  }

  @Test
  void a_malformed_line_is_named_without_its_key() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKeys.parse("ann " + ANN + "\nbob short"))
        .withMessage("line 2 of the keys has a key with fewer than 16 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKeys.parse("ann " + ANN + "\nann " + BOB))
        .withMessage("line 2 of the keys has the name `ann` again");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKeys.parse("ann sha256:12"))
        .withMessageContaining("64 hex digits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ApiKeys.parse("# nobody"))
        .withMessageContaining("no key");
    assertThat(ApiKeys.parse("ann " + ANN)).hasToString("ApiKeys[ann]");
  }
}
