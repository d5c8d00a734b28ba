package dev.superstep.a2a;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.a2a.client.A2aAgent;
import dev.superstep.a2a.client.A2aFailed;
import dev.superstep.a2a.client.CardKeys;
import dev.superstep.a2a.server.A2aServer;
import dev.superstep.a2a.server.CardSigner;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import dev.superstep.server.options.ServerOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Timeout(60)
final class SignedCardsTest {
  @TempDir Path folder;

  private static KeyPair pair(String kind) throws Exception {
    if (kind.equals("Ed25519")) return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    var generator = KeyPairGenerator.getInstance(kind.startsWith("RSA") ? "RSA" : "EC");
    if (kind.startsWith("RSA")) generator.initialize(Integer.parseInt(kind.substring(3)));
    else generator.initialize(new ECGenParameterSpec(kind));
    return generator.generateKeyPair();
  }

  private static A2aServer signed(URI at, KeyPair pair) {
    return A2aServer.protocol().publicAt(at).signedBy(CardSigner.of("k1", pair.getPrivate()));
  }

  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Outcome asked(A2aAgent agent) throws Exception {
    var options = Office.options(new InMemoryCheckpointer(), "t");
    return Office.graph(agent).invoke(Input.of(Office.ORDER, "find 7"), options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "RSA2048", "Ed25519"})
  void an_agent_is_used_if_its_card_is_signed_by_a_known_key(String kind) throws Exception {
    var pair = pair(kind);
    int port = freePort();
    var at = URI.create("http://127.0.0.1:" + port);
    var file = folder.resolve("desk.db");
    try (var _ = new DeskFixture().on(file, port, signed(at, pair), ServerOptions.defaults())) {
      var agent = A2aAgent.at(at.resolve("/a2a/desk"));
      var known = agent.verifiedBy(CardKeys.of(Map.of("k1", pair.getPublic())));
      assertThat(((Outcome.Completed) asked(known)).state().get(Office.RESULT).text())
          .isEqualTo("It is here 7.");
      // Who does not ask for it does not look at it.
      assertThatCode(() -> asked(agent)).doesNotThrowAnyException();

      var other = agent.verifiedBy(CardKeys.of(Map.of("k2", pair.getPublic())));
      assertRefused(other, "is signed by none of the keys [k2]");
      var false_ = agent.verifiedBy(CardKeys.of(Map.of("k1", pair(kind).getPublic())));
      assertRefused(false_, "is not what was signed by the key k1");
    }
  }

  private static void assertRefused(A2aAgent agent, String why) {
    assertThatThrownBy(() -> asked(agent))
        .rootCause()
        .isInstanceOfSatisfying(
            A2aFailed.class, failed -> assertThat(failed.code()).isEqualTo("a2a.unverified"))
        .hasMessageContaining(why);
  }

  /// Serves a signed card after a change, as somebody in between could.
  private void changed(UnaryOperator<ObjectNode> change, String why) throws Exception {
    var pair = pair("secp256r1");
    var at = URI.create("https://agents.example.com");
    var file = folder.resolve("desk.db");
    ObjectNode card;
    try (var running = new DeskFixture().on(file, 0, signed(at, pair), ServerOptions.defaults())) {
      var requests = new RpcRequests(running.server().address());
      card = (ObjectNode) requests.get("/a2a/desk/.well-known/agent-card.json");
    }
    var text = change.apply(card).toString().getBytes(StandardCharsets.UTF_8);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, text.length);
          exchange.getResponseBody().write(text);
          exchange.close();
        });
    server.start();
    try {
      var agent = A2aAgent.at(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
      assertRefused(agent.verifiedBy(CardKeys.of(Map.of("k1", pair.getPublic()))), why);
    } finally {
      server.stop(0);
    }
  }

  private static ObjectNode first(ObjectNode card) {
    return (ObjectNode) card.path("signatures").path(0);
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void a_card_without_a_signature_is_refused() throws Exception {
    changed(card -> (ObjectNode) card.without("signatures"), "is not signed");
  }

  @Test
  void a_card_that_was_changed_is_refused() throws Exception {
    changed(card -> card.put("description", "Pay me"), "is not what was signed");
  }

  @Test
  void an_endpoint_that_was_added_is_refused() throws Exception {
    changed(
        card -> {
          card.withArray("supportedInterfaces").insertObject(0).put("url", "https://evil.example");
          return card;
        },
        "is not what was signed");
  }

  @Test
  void a_signature_that_says_that_there_is_none_is_refused() throws Exception {
    changed(
        card -> {
          first(card).put("protected", encoded("{\"alg\":\"none\",\"kid\":\"k1\"}"));
          first(card).put("signature", "");
          return card;
        },
        "is not what was signed");
  }

  @Test
  void an_extension_that_must_be_understood_and_nonsense_are_refused() throws Exception {
    changed(
        card -> {
          var header = "{\"alg\":\"ES256\",\"kid\":\"k1\",\"crit\":[\"b64\"],\"b64\":false}";
          first(card).put("protected", encoded(header));
          return card;
        },
        "is not what was signed");
    changed(
        card -> {
          first(card).put("protected", "***").put("signature", "***");
          return card;
        },
        "is signed by none");
    changed(
        card -> {
          for (int i = 0; i < 30; i++) card.withArray("signatures").add(first(card).deepCopy());
          return card;
        },
        "too many signatures");
  }

  @Test
  void signed_cards_need_an_address_that_no_client_chooses() throws Exception {
    var protocol = A2aServer.protocol().signedBy(CardSigner.of("k1", pair("Ed25519").getPrivate()));
    assertThatThrownBy(() ->
            new DeskFixture().on(folder.resolve("desk.db"), 0, protocol, ServerOptions.defaults()))
        .hasMessageContaining("publicAt");
  }

  @Test
  void weak_and_foreign_keys_are_refused() throws Exception {
    var weak = pair("RSA1024");
    var long_ = pair("secp384r1");
    for (var pair : new KeyPair[] {weak, long_}) {
      assertThatThrownBy(() -> CardSigner.of("k1", pair.getPrivate()))
          .hasMessageContaining("P-256");
      assertThatThrownBy(() -> CardKeys.of(Map.of("k1", pair.getPublic())))
          .hasMessageContaining("2048");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "RSA2048", "Ed25519"})
  void a_key_is_read_from_a_file_and_is_not_shown(String kind) throws Exception {
    var file = folder.resolve("key.pem");
    var encoded = Base64.getMimeEncoder().encodeToString(pair(kind).getPrivate().getEncoded());
    Files.writeString(
        file, "-----BEGIN PRIVATE KEY-----\n" + encoded + "\n-----END PRIVATE KEY-----\n");
    assertThat(CardSigner.pem("k1", file).toString())
        .matches("CardSigner\\[k1, (ES256|RS256|EdDSA)]");

    Files.writeString(file, "-----BEGIN PRIVATE KEY-----\n!!\n-----END PRIVATE KEY-----\n");
    assertThatThrownBy(() -> CardSigner.pem("k1", file)).hasMessageContaining("openssl genpkey");
    Files.writeString(file, "secret");
    assertThatThrownBy(() -> CardSigner.pem("k1", file)).hasMessageNotContaining("secret");
  }

  @Test
  void a_key_set_is_read_with_what_it_has_of_use() {
    var set =
        """
        {"keys": [
          {"kty": "EC", "crv": "P-256", "kid": "ec",
           "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
           "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"},
          {"kty": "OKP", "crv": "Ed25519", "kid": "ed",
           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
          {"kty": "oct", "kid": "secret", "k": "AAAA"},
          {"kty": "EC", "crv": "P-384", "kid": "large", "x": "AA", "y": "AA"}]}
        """;
    assertThat(CardKeys.jwks(set).toString()).isEqualTo("CardKeys[ec, ed]");
    for (var bad :
        new String[] {
          "{", "{}", "[]", "{\"keys\": [{\"kty\": \"OKP\", \"crv\": \"Ed25519\", \"kid\": \"a\"}]}"
        }) {
      assertThatThrownBy(() -> CardKeys.jwks(bad)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_card_keeps_its_form_when_it_is_read_and_written() throws Exception {
    var at = URI.create("https://agents.example.com");
    var protocol = signed(at, pair("Ed25519"));
    var file = folder.resolve("desk.db");
    try (var running = new DeskFixture().on(file, 0, protocol, ServerOptions.defaults())) {
      JsonNode card =
          new RpcRequests(running.server().address()).get("/.well-known/agent-card.json");
      var header =
          Base64.getUrlDecoder()
              .decode(card.path("signatures").path(0).path("protected").asString());
      assertThat(new JsonMapper().readTree(header).toString())
          .isEqualTo("{\"alg\":\"EdDSA\",\"kid\":\"k1\",\"typ\":\"JOSE\"}");
    }
  }
}
