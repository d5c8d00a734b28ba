package dev.superstep.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.superstep.sandbox.NetworkAddresses;
import dev.superstep.tool.ToolError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P36")
@Timeout(60)
class WorkspaceFetchTest {
  /// For documentation: no machine has it.
  private static final String UNREACHED = "203.0.113.1";

  @TempDir Path temp;
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch never = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpServer server;
  private String base;
  private Workspace workspace;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setExecutor(threads);
    server.start();
    var host = "127.0.0.1:" + server.getAddress().getPort();
    base = "http://" + host;
    workspace = Workspace.at(temp).hosts(host);
  }

  @AfterEach
  void stop() {
    never.countDown();
    server.stop(0);
    threads.close();
  }

  @Test
  void a_text_is_read_in_its_own_characters() throws InterruptedException {
    answers("/latin", 200, "text/plain; charset=ISO-8859-1", "Grüße".getBytes(latin()));
    answers("/json", 200, "application/json", "{\"a\":\"ü\"}".getBytes(StandardCharsets.UTF_8));
    var latin = workspace.fetch(at("/latin?q=1"));
    assertThat(latin).isEqualTo(new FetchedText(at("/latin?q=1"), "text/plain", "Grüße", false));
    assertThat(workspace.fetch(at("/json")).text()).isEqualTo("{\"a\":\"ü\"}");
  }

  @Test
  void a_status_that_is_no_success_is_an_error() {
    answers("/none", 404, "text/plain", "no".getBytes(latin()));
    assertThatThrownBy(() -> workspace.fetch(at("/none?key=hidden")))
        .isInstanceOfSatisfying(
            ToolError.Http.class,
            e -> {
              assertThat(e.status()).isEqualTo(OptionalInt.of(404));
              assertThat(e.uri()).isEqualTo(base + "/none");
            })
        .hasMessageNotContaining("hidden");
  }

  @ParameterizedTest
  @CsvSource({
    "image/png, ''",
    "application/octet-stream, ''",
    "text/plain; charset=martian, ''",
    "text/plain, gzip"
  })
  void what_is_not_readable_text_is_an_error(String type, String encoding) {
    handles(
        "/odd",
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", type);
          if (!encoding.isEmpty()) exchange.getResponseHeaders().add("Content-Encoding", encoding);
          send(exchange, 200, new byte[] {1, 2, 3});
        });
    assertThatThrownBy(() -> workspace.fetch(at("/odd")))
        .isInstanceOfSatisfying(
            ToolError.Http.class, e -> assertThat(e.status()).isEqualTo(OptionalInt.of(200)));
  }

  @Test
  void a_long_text_is_cut() throws InterruptedException {
    answers("/long", 200, "text/plain", "x".repeat(500_000).getBytes(latin()));
    var small = workspace.limits(WorkspaceLimits.standard().fetches(Duration.ofSeconds(30), 1_000));
    var fetched = small.fetch(at("/long"));
    assertThat(fetched.text()).isEqualTo("x".repeat(1_000));
    assertThat(fetched.isCut()).isTrue();
  }

  @Test
  void redirects_are_followed_where_each_hop_is_allowed() throws InterruptedException {
    redirects("/one", "/two");
    redirects("/two", base + "/three");
    answers("/three", 200, "text/plain", "there".getBytes(latin()));
    var fetched = workspace.fetch(at("/one"));
    assertThat(fetched.text()).isEqualTo("there");
    assertThat(fetched.uri()).isEqualTo(at("/three"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost:%d/secret",
        "http://127.0.0.1:1/secret",
        "http://[::1]:%d/secret",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
        "http://user:word@127.0.0.1:%d/secret",
        "ftp://127.0.0.1/secret"
      })
  void a_redirect_to_what_is_not_allowed_is_not_followed(String target) {
    redirects("/away", target.formatted(server.getAddress().getPort()));
    answers("/secret", 200, "text/plain", "secret".getBytes(latin()));
    assertThatThrownBy(() -> workspace.fetch(at("/away"))).isInstanceOf(ToolError.Http.class);
    assertThat(asked).containsExactly("/away");
  }

  @Test
  void redirects_in_a_circle_end() {
    redirects("/round", "/round");
    assertThatThrownBy(() -> workspace.fetch(at("/round")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("more than 5 times");
    assertThat(asked).hasSize(6);
  }

  @Test
  void no_host_is_allowed_unless_it_is_named() {
    answers("/x", 200, "text/plain", "x".getBytes(latin()));
    assertThatThrownBy(() -> Workspace.at(temp).fetch(at("/x")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("No host is allowed here");
    var port = server.getAddress().getPort();
    for (var other : List.of("127.0.0.1", "127.0.0.1:1", "*.0.0.1:" + port, "example.org")) {
      assertThatThrownBy(() -> Workspace.at(temp).hosts(other).fetch(at("/x")))
          .as(other)
          .isInstanceOf(ToolError.Http.class)
          .hasMessageContaining("is not allowed. Allowed: " + other);
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void a_name_that_resolves_to_this_machine_is_refused_unless_allowed() throws Exception {
    answers("/x", 200, "text/plain", "x".getBytes(latin()));
    int port = server.getAddress().getPort();
    var named = URI.create("http://localhost:" + port + "/x");
    for (var allowed : List.of("localhost:" + port, "*:" + port)) {
      assertThatThrownBy(() -> Workspace.at(temp).hosts(allowed).fetch(named))
          .isInstanceOf(ToolError.Http.class)
          .hasMessageContaining("an address of this machine");
    }
    assertThatThrownBy(() -> Workspace.at(temp).hosts("*:" + port).fetch(at("/x")))
        .isInstanceOf(ToolError.Http.class);
    assertThat(asked).isEmpty();
    assertThat(Workspace.at(temp).privateHosts("localhost:" + port).fetch(named).text())
        .isEqualTo("x");
  }

  @Test
  void an_answer_that_takes_too_long_is_an_error() {
    handles("/slow", this::begin);
    var hasty = workspace.limits(WorkspaceLimits.standard().fetches(Duration.ofMillis(300), 1_000));
    assertThatThrownBy(() -> hasty.fetch(at("/slow")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("no answer within 300 ms");
  }

  @Test
  void an_interrupt_ends_a_fetch() throws Exception {
    var begun = new CountDownLatch(1);
    handles(
        "/slow",
        exchange -> {
          begun.countDown();
          begin(exchange);
        });
    var fetching = threads.submit(() -> workspace.fetch(at("/slow")));
    var interrupter =
        threads.submit(() -> {
          begun.await();
          return fetching.cancel(true);
        });
    assertThat(interrupter.get()).isTrue();
    assertThat(fetching.isCancelled()).isTrue();
  }

  @Test
  void an_unreachable_host_is_an_error() throws InterruptedException {
    server.stop(0);
    assertThatThrownBy(() -> workspace.fetch(at("/x")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("cannot be reached")
        .hasCauseInstanceOf(IOException.class);
    assertThatThrownBy(() -> Workspace.at(temp).hosts("*").fetch(URI.create("http://none.invalid")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("no such host");
  }

  @Test
  void a_name_that_resolves_differently_after_the_check_has_no_effect() throws Exception {
    answers("/secret", 200, "text/plain", "secret".getBytes(latin()));
    var asks = new AtomicInteger();
    // Public when it is checked, this machine ever after.
    AddressLookup rebinding =
        _ -> List.of(InetAddress.getByName(asks.getAndIncrement() == 0 ? UNREACHED : "127.0.0.1"));
    int port = server.getAddress().getPort();
    var open =
        Workspace.at(temp)
            .hosts("*:" + port)
            .lookup(rebinding)
            .limits(WorkspaceLimits.standard().fetches(Duration.ofMillis(500), 1_000));
    var uri = URI.create("http://rebinding.example:" + port + "/secret");
    assertThatThrownBy(() -> open.fetch(uri)).isInstanceOf(ToolError.Http.class);
    assertThat(asks).hasValue(1);
    assertThat(asked).isEmpty();
    assertThatThrownBy(() -> open.fetch(uri)).hasMessageContaining("an address of this machine");
    assertThat(asked).isEmpty();
  }

  @Test
  void a_redirect_is_resolved_and_checked_again() {
    int port = server.getAddress().getPort();
    redirects("/away", "http://second.example:" + port + "/secret");
    answers("/secret", 200, "text/plain", "secret".getBytes(latin()));
    var looked = new ArrayList<String>();
    var named =
        Workspace.at(temp)
            .privateHosts("first.example:" + port)
            .hosts("second.example:" + port)
            .lookup(host -> {
              looked.add(host);
              return List.of(InetAddress.getByName("127.0.0.1"));
            });
    assertThatThrownBy(() -> named.fetch(URI.create("http://first.example:" + port + "/away")))
        .isInstanceOf(ToolError.Http.class)
        .hasMessageContaining("an address of this machine");
    assertThat(looked).containsExactly("first.example", "second.example");
    assertThat(asked).containsExactly("/away");
  }

  @Test
  void a_server_is_asked_by_its_name_at_the_address_that_was_checked() throws Exception {
    var hosts = new ArrayList<String>();
    handles(
        "/x",
        exchange -> {
          hosts.add(exchange.getRequestHeaders().getFirst("Host"));
          exchange.getResponseHeaders().add("Content-Type", "text/plain");
          exchange.sendResponseHeaders(200, 0); // in chunks
          exchange.getResponseBody().write("a".repeat(9_000).getBytes(latin()));
          exchange.getResponseBody().flush();
          exchange.getResponseBody().write("b".repeat(9_000).getBytes(latin()));
        });
    int port = server.getAddress().getPort();
    var named =
        Workspace.at(temp)
            .privateHosts("inner.example:" + port)
            .lookup(_ -> List.of(InetAddress.getByName("127.0.0.1")));
    var fetched = named.fetch(URI.create("http://inner.example:" + port + "/x"));
    assertThat(fetched.text()).isEqualTo("a".repeat(9_000) + "b".repeat(9_000));
    assertThat(fetched.isCut()).isFalse();
    assertThat(hosts).containsExactly("inner.example:" + port);
  }

  @Test
  void a_secure_server_proves_the_name_that_was_asked_for() throws Exception {
    var tls = certified("right.example");
    var secure =
        HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    secure.setHttpsConfigurator(new HttpsConfigurator(tls));
    secure.createContext(
        "/x",
        exchange -> {
          asked.add(exchange.getRequestHeaders().getFirst("Host"));
          exchange.getResponseHeaders().add("Content-Type", "text/plain");
          send(exchange, 200, "proven".getBytes(latin()));
          exchange.close();
        });
    secure.start();
    int port = secure.getAddress().getPort();
    var named =
        Workspace.at(temp)
            .privateHosts("*:" + port)
            .lookup(_ -> List.of(InetAddress.getByName("127.0.0.1")));
    try {
      var right = URI.create("https://right.example:" + port + "/x");
      assertThat(named.tls(tls).fetch(right).text()).isEqualTo("proven");
      for (var fetching :
          List.<ThrowingCallable>of(
              () -> named.fetch(right), // nobody vouches for it
              () -> named.tls(tls).fetch(URI.create("https://wrong.example:" + port + "/x")),
              () -> named.tls(tls).fetch(URI.create("https://127.0.0.1:" + port + "/x")))) {
        assertThatThrownBy(fetching)
            .isInstanceOf(ToolError.Http.class)
            .hasMessageContaining("cannot be reached");
      }
      assertThat(asked).containsExactly("right.example:" + port);
    } finally {
      secure.stop(0);
    }
  }

  /// The keys of a server with that name, and trust in them.
  private SSLContext certified(String name) throws Exception {
    var file = temp.resolve("keys.p12");
    var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    var options =
        "-genkeypair -alias a -keyalg EC -dname CN=%s -ext san=dns:%s -storetype PKCS12"
                .formatted(name, name)
            + " -storepass changeit -keystore ";
    var command = new ArrayList<>(List.of(keytool));
    command.addAll(List.of(options.strip().split(" ")));
    command.add(file.toString());
    var made = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(made.waitFor()).as(said).isZero();
    var keys = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, "changeit".toCharArray());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx",
        "HTTP/1.1 200 OK",
        "SSH-2.0-x\r\n\r\n"
      })
  void an_answer_that_is_not_well_formed_is_an_error(String raw) throws Exception {
    try (var broken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      threads.execute(() -> {
        try (var connection = broken.accept()) {
          var _ = connection.getInputStream().read(new byte[4096]);
          connection.getOutputStream().write(raw.getBytes(latin()));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
      var there = "127.0.0.1:" + broken.getLocalPort();
      assertThatThrownBy(
              () -> Workspace.at(temp).hosts(there).fetch(URI.create("http://" + there + "/x")))
          .isInstanceOf(ToolError.Http.class)
          .hasMessageContaining("cannot be reached");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "10.1.2.3, true",
    "172.16.0.1, true",
    "192.168.1.1, true",
    "169.254.169.254, true",
    "0.0.0.0, true",
    "0.1.2.3, true",
    "100.64.0.1, true",
    "198.18.0.1, true",
    "224.0.0.1, true",
    "255.255.255.255, true",
    "::1, true",
    "::, true",
    "fe80::1, true",
    "fd00::1, true",
    "ff02::1, true",
    "::ffff:10.0.0.1, true",
    "::10.0.0.1, true",
    "64:ff9b::7f00:1, true",
    "2002:7f00:1::, true",
    "::ffff:0:127.0.0.1, true",
    "64:ff9b::a9fe:a9fe, true",
    "64:ff9b:1::808:808, true",
    "2001:0:4136:e378:8000:63bf:80ff:fffe, true",
    "2001:0:7f00:1:8000:63bf:3fff:fdd2, true",
    "2606:4700::5efe:7f00:1, true",
    "2606:4700::200:5efe:a00:1, true",
    "100::1, true",
    "fec0::1, true",
    "2001:0:4136:e378:8000:63bf:f7f7:f7f7, false",
    "2606:4700::5efe:808:808, false",
    "::ffff:0:8.8.8.8, false",
    "8.8.8.8, false",
    "172.32.0.1, false",
    "100.128.0.1, false",
    "2606:4700::1111, false",
    "64:ff9b::808:808, false",
    "2002:808:808::, false"
  })
  void private_addresses_are_known(String address, boolean isPrivate) throws IOException {
    assertThat(NetworkAddresses.isPrivate(InetAddress.getByName(address))).isEqualTo(isPrivate);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://a", "a b", "a/b", "*a*", "a:b", "**", "a:123456"})
  void a_host_that_is_none_cannot_be_allowed(String text) {
    assertThatThrownBy(() -> Workspace.at(temp).hosts(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("host must be a name");
  }

  @Test
  void a_star_allows_what_is_below_a_name_and_not_the_name() {
    var below = AllowedHost.parse("*.Example.org", false);
    assertThat(below.allows(URI.create("https://a.b.EXAMPLE.org/x"))).isTrue();
    assertThat(below.allows(URI.create("https://example.org/x"))).isFalse();
    assertThat(below.allows(URI.create("https://badexample.org/x"))).isFalse();
    assertThat(below.allows(URI.create("https://a.example.org:8443/x"))).isFalse();
    assertThat(below.allows(URI.create("http://a.example.org:443/x"))).isFalse();
  }

  private static java.nio.charset.Charset latin() {
    return StandardCharsets.ISO_8859_1;
  }

  private URI at(String path) {
    return URI.create(base + path);
  }

  private interface Handler {
    void handle(HttpExchange exchange) throws Exception;
  }

  private void handles(String path, Handler handler) {
    server.createContext(
        path,
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          try (exchange) {
            handler.handle(exchange);
          } catch (IOException e) {
            throw e;
          } catch (Exception e) {
            throw new IOException(e);
          }
        });
  }

  private void answers(String path, int status, String type, byte[] body) {
    handles(
        path,
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", type);
          send(exchange, status, body);
        });
  }

  private void redirects(String path, String to) {
    handles(
        path,
        exchange -> {
          exchange.getResponseHeaders().add("Location", to);
          send(exchange, 302, new byte[0]);
        });
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  /// Begins an answer and does not end it.
  private void begin(HttpExchange exchange) throws Exception {
    exchange.sendResponseHeaders(200, 1_000);
    exchange.getResponseBody().write(1);
    exchange.getResponseBody().flush();
    never.await();
  }
}
