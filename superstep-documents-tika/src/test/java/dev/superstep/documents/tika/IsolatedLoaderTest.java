package dev.superstep.documents.tika;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.superstep.documents.DocumentFailed;
import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.EncryptedDocument;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.SourceDocument;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Parsers in a process of their own.
class IsolatedLoaderTest {
  private final TikaLoader isolated = TikaLoader.isolated();
  private final TikaLoader inProcess = TikaLoader.inProcess();

  @Test
  void a_document_is_the_same_as_in_the_process() throws Exception {
    var pages = List.of(List.of("First line.", "Second é."), List.of("On page two."));
    var files =
        List.of(
            SourceDocument.of("a.pdf", OfficeFiles.pdf("The Title", pages)),
            SourceDocument.of("a.docx", OfficeFiles.docx()),
            SourceDocument.of("a.xlsx", OfficeFiles.xlsx()),
            SourceDocument.of("a.odt", OfficeFiles.odt("", "Money.")));
    for (var file : files) assertThat(isolated.load(file)).isEqualTo(inProcess.load(file));
  }

  @Test
  void a_class_path_may_be_relative_to_the_directory_of_the_program() throws Exception {
    var here = Path.of("").toAbsolutePath();
    var paths =
        Arrays.stream(ParserProcess.ownClassPath().split(File.pathSeparator))
            .map(path -> here.relativize(Path.of(path).toAbsolutePath()).toString())
            .collect(Collectors.joining(File.pathSeparator));
    var file = SourceDocument.of("a.docx", OfficeFiles.docx());
    assertThat(isolated.withClassPath(paths).load(file)).isEqualTo(inProcess.load(file));
  }

  @Test
  void failures_come_back_as_in_the_process() throws Exception {
    var encrypted = SourceDocument.of("a.pdf", OfficeFiles.encryptedPdf());
    assertThatThrownBy(() -> isolated.load(encrypted)).isInstanceOf(EncryptedDocument.class);
    var broken = SourceDocument.of("b.docx", new byte[] {'P', 'K', 3, 4, 0});
    var here = catchThrowable(() -> inProcess.load(broken));
    assertThat(catchThrowable(() -> isolated.load(broken)))
        .isInstanceOf(DocumentFailed.class)
        .hasMessage(here.getMessage());
  }

  @Test
  void a_parser_that_fills_its_memory_is_ended() throws Exception {
    // Random words, which no check of compression finds suspicious.
    var random = new java.util.Random(5);
    var text = new StringBuilder();
    while (text.length() < 24_000_000)
      text.append(Long.toString(random.nextLong(), 36)).append(' ');
    var large = SourceDocument.of("a.docx", OfficeFiles.docx("", text.toString()));
    var generous = new DocumentLimits(90_000_000, 90_000_000, 200_000, 200, Duration.ofMinutes(1));
    assertThatThrownBy(() -> isolated.withMemory(64).withLimits(generous).load(large))
        .isInstanceOf(ParserStopped.class)
        .hasMessageContaining("memory");
  }

  @Test
  void a_parser_that_takes_too_long_is_killed() throws Exception {
    var slow = isolated.withLimits(DocumentLimits.standard().withMaxTime(Duration.ofMillis(1)));
    var file = SourceDocument.of("a.docx", OfficeFiles.docx());
    assertThatThrownBy(() -> slow.load(file))
        .isInstanceOf(ParserStopped.class)
        .hasMessageContaining("took longer");
  }

  @Test
  void an_interrupt_ends_the_process() throws Exception {
    var file = SourceDocument.of("a.docx", OfficeFiles.docx());
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> isolated.load(file)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void a_process_that_cannot_start_is_not_the_fault_of_the_document() throws Exception {
    var file = SourceDocument.of("a.docx", OfficeFiles.docx());
    assertThatThrownBy(() -> isolated.withClassPath("/nowhere").load(file))
        .isInstanceOf(ParserNotStarted.class)
        .hasMessageContaining("withClassPath");
    assertThatThrownBy(() -> isolated.withCommandPrefix("/no/such/sandbox").load(file))
        .isInstanceOf(ParserNotStarted.class);
    assertThatThrownBy(() -> inProcess.withMemory(100)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void the_process_gets_no_environment_and_leaves_no_files(@TempDir Path folder) throws Exception {
    var log = folder.resolve("environment");
    var script = folder.resolve("prefix.sh");
    Files.writeString(script, "env > " + log + "; pwd >> " + log + "; exec \"$@\"");
    var file = SourceDocument.of("a.odt", OfficeFiles.odt("", "Money."));
    isolated.withCommandPrefix("/bin/sh", script.toString()).load(file);
    var seen = Files.readAllLines(log);
    assertThat(seen).noneMatch(line -> line.startsWith("HOME=") || line.startsWith("USER="));
    assertThat(Path.of(seen.getLast())).doesNotExist();
  }
}
