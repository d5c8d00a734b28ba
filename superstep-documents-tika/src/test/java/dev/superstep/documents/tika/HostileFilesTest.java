package dev.superstep.documents.tika;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.DocumentTooLarge;
import dev.superstep.documents.EncryptedDocument;
import dev.superstep.documents.SourceDocument;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Files that are broken, encrypted, or made to harm.
class HostileFilesTest {
  private final TikaLoader loader = TikaLoader.inProcess();

  private static Throwable failure(TikaLoader loader, String name, byte[] bytes) {
    return catchThrowable(() -> loader.load(SourceDocument.of(name, bytes)));
  }

  @Test
  void encrypted_files_are_reported_as_such() throws Exception {
    assertThat(failure(loader, "a.pdf", OfficeFiles.encryptedPdf()))
        .isInstanceOf(EncryptedDocument.class)
        .hasMessageContaining("password");
  }

  @Test
  void broken_files_fail_as_documents() throws Exception {
    var random = new Random(11);
    var files =
        List.of(
            OfficeFiles.docx(),
            OfficeFiles.xlsx(),
            OfficeFiles.odt("", "x"),
            OfficeFiles.pdf("t", List.of(List.of("text"))));
    var names = List.of("a.docx", "a.xlsx", "a.odt", "a.pdf");
    int failures = 0;
    for (int round = 0; round < 40; round++) {
      int which = round % files.size();
      var bytes = files.get(which).clone();
      if (round % 8 < 4) bytes = java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length));
      for (int i = 0; i < 20 && bytes.length > 0; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      var failure = failure(loader, names.get(which), bytes);
      if (failure == null) continue;
      failures++;
      assertThat(failure).isInstanceOf(DocumentFailed.class);
    }
    assertThat(failures).isGreaterThan(10);
  }

  @Test
  void a_zip_bomb_is_not_unpacked() throws Exception {
    var bomb = OfficeFiles.docx("", "A".repeat(20_000_000));
    assertThat(bomb.length).isLessThan(60_000);
    assertThat(failure(loader, "a.docx", bomb)).isInstanceOf(DocumentFailed.class);
    var odt = OfficeFiles.odt("", "A".repeat(20_000_000));
    assertThat(failure(loader, "a.odt", odt)).isInstanceOf(DocumentFailed.class);
  }

  @Test
  void too_much_text_ends_the_parser() throws Exception {
    var small = loader.withLimits(DocumentLimits.standard().withMaxCharacters(1_000));
    var pages = List.of(List.of("x".repeat(600)), List.of("x".repeat(600)));
    assertThat(failure(small, "a.pdf", OfficeFiles.pdf("t", pages)))
        .isInstanceOf(DocumentTooLarge.class)
        .hasMessageContaining("1,000 characters");
    var tiny = loader.withLimits(DocumentLimits.standard().withMaxBytes(100));
    assertThat(failure(tiny, "a.docx", OfficeFiles.docx())).hasMessageContaining("100 bytes");
  }

  @Test
  void external_entities_are_not_loaded() throws Exception {
    var requests = new AtomicInteger();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    try {
      var address = "http://127.0.0.1:" + server.getAddress().getPort() + "/evil.dtd";
      var prologue =
          """
          <!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/hostname">
          <!ENTITY net SYSTEM "%s"> <!ENTITY %% more SYSTEM "%s"> %%more;]>\
          """
              .formatted(address, address);
      var host = java.nio.file.Files.readString(java.nio.file.Path.of("/etc/hostname")).strip();
      for (var name : List.of("a.docx", "a.odt")) {
        var text = "before &file; &net; after";
        var bytes =
            name.equals("a.docx")
                ? OfficeFiles.docx(prologue, text)
                : OfficeFiles.odt(prologue, text);
        var seen = new StringBuilder();
        var failure =
            catchThrowable(() -> seen.append(loader.load(SourceDocument.of(name, bytes)).text()));
        if (failure != null) assertThat(failure).isInstanceOf(DocumentFailed.class);
        assertThat(seen.toString()).doesNotContain(host);
      }
      assertThat(requests.get()).isZero();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void entities_that_multiply_end_the_parser() throws Exception {
    var laughs = new StringBuilder("<!DOCTYPE x [<!ENTITY a0 \"haha\">");
    for (int i = 1; i < 12; i++) {
      laughs.append("<!ENTITY a%d \"%s\">".formatted(i, ("&a" + (i - 1) + ";").repeat(10)));
    }
    laughs.append("]>");
    var failure = failure(loader, "a.odt", OfficeFiles.odt(laughs.toString(), "&a11;"));
    if (failure != null) assertThat(failure).isInstanceOf(DocumentFailed.class);
  }

  @Test
  void a_parser_is_cancelled_by_an_interrupt() throws Exception {
    var pdf = OfficeFiles.pdf("t", List.of(List.of("text")));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> loader.load(SourceDocument.of("a.pdf", pdf)))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void a_parser_that_takes_too_long_is_ended() throws Exception {
    var slow = loader.withLimits(DocumentLimits.standard().withMaxTime(Duration.ofNanos(1)));
    assertThat(failure(slow, "a.pdf", OfficeFiles.pdf("t", List.of(List.of("text")))))
        .hasMessageContaining("took longer");
  }
}
