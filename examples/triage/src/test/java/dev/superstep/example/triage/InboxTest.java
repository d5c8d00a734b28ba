package dev.superstep.example.triage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.example.triage.Contents.Refused;
import dev.superstep.example.triage.Contents.Text;
import dev.superstep.node.Approval;
import dev.superstep.program.UnusableInput;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class InboxTest {
  @TempDir Path folder;
  @TempDir Path output;

  private Path write(String name, byte... bytes) throws Exception {
    return Files.write(folder.resolve(name), bytes);
  }

  private Path write(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }

  private Contents only() {
    var inbox = new Inbox(folder);
    return inbox.read(inbox.files().getFirst());
  }

  private void unusable(Path named, String line) {
    assertThatThrownBy(() -> Inbox.open(named))
        .isInstanceOf(UnusableInput.class)
        .hasMessage(line.replace("DIR", folder.toString()));
  }

  @Test
  void bad_files_are_listed_with_their_reasons_and_do_not_fail_the_run() throws Exception {
    write("a-good.txt", "Hello, thanks!");
    write("b-empty.txt", " \n");
    write("c-zeros.bin", new byte[] {1, 0, 2});
    write("d-wrong.bin", new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0xfd, 'x'});
    try (var file = new RandomAccessFile(folder.resolve("e-huge.txt").toFile(), "rw")) {
      file.setLength(50L << 20);
    }
    Files.createDirectory(folder.resolve("f-folder"));
    Files.createSymbolicLink(folder.resolve("g-link.txt"), folder.resolve("a-good.txt"));
    Files.createSymbolicLink(folder.resolve("h-dangling"), folder.resolve("nowhere"));
    write(".hidden", "not listed");
    var desk = Desk.with(Replies.gullible(), output);
    var done = desk.finish(folder, _ -> Approval.yes());
    assertThat(new TriageProgram().summary(done.state()))
        .contains("1 classified, 0 not", "7 not read");
    Golden.check("not-read.md", desk.report().replaceAll("# Triage of .*", "# Triage of DIR"));
  }

  @Test
  void a_file_that_changes_or_vanishes_after_the_listing_is_not_read() throws Exception {
    var path = write("m.txt", "short");
    var inbox = new Inbox(folder);
    var listed = inbox.files().getFirst();
    write("m.txt", "much longer than before");
    assertThat(inbox.read(listed)).isEqualTo(new Refused("changed after it was listed"));
    Files.delete(path);
    assertThat(inbox.read(listed)).isEqualTo(new Refused("vanished after it was listed"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void a_file_whose_name_cannot_be_decoded_is_reported() throws Exception {
    var shell = new ProcessBuilder("sh", "-c", "echo Hi > \"$(printf 'a\\377b')\"");
    assertThat(shell.directory(folder.toFile()).start().waitFor()).isZero();
    assertThat(only())
        .isEqualTo(new Refused("has a name that cannot be read; rename it to have it read"));
  }

  @Test
  void old_encodings_with_few_wrong_bytes_are_read() throws Exception {
    Files.write(
        folder.resolve("m.txt"), "Schöne Grüße aus Köln".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(only()).isInstanceOf(Refused.class);
    Files.write(
        folder.resolve("m.txt"),
        "Vielen Dank und einen schönen Tag noch".getBytes(StandardCharsets.ISO_8859_1));
    assertThat(only()).isEqualTo(new Text("Vielen Dank und einen sch\uFFFDnen Tag noch"));
  }

  @Test
  void a_byte_order_mark_is_no_part_of_the_text() throws Exception {
    write("m.txt", "\uFEFFHello");
    assertThat(only()).isEqualTo(new Text("Hello"));
  }

  @Test
  void one_file_may_be_named_even_through_a_link() throws Exception {
    var path = write("m.txt", "Hello");
    var link = Files.createSymbolicLink(folder.resolve("link"), path);
    var inbox = Inbox.open(link);
    assertThat(inbox.files()).containsExactly(new MessageFile("m.txt", 5));
  }

  @Test
  void unusable_input_is_a_one_line_message() throws Exception {
    var missing = folder.resolve("missing");
    unusable(missing, "There is no DIR/missing. Name a text file, or a folder with text files.");
    unusable(folder, "There are no files in DIR.");
    Files.createDirectory(folder.resolve("sub"));
    unusable(folder, "No message can be read in DIR: sub is a folder; name it to have it read.");
    var empty = write("empty.txt", "");
    unusable(empty, "No message can be read in DIR/empty.txt: empty.txt is empty.");
    write("a.bin", new byte[] {0});
    write("b.bin", new byte[] {0});
    unusable(
        folder,
        "No message can be read in DIR: a.bin is not text in UTF-8; b.bin is not text in UTF-8;"
            + " empty.txt is empty; and 1 more.");
  }
}
