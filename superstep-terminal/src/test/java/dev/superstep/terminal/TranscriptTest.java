package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.terminal.transcript.Transcript;
import dev.superstep.terminal.transcript.TranscriptBroken;
import dev.superstep.terminal.transcript.TranscriptBusy;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("C36")
@Tag("C30")
@Tag("TH19")
final class TranscriptTest {
  @TempDir Path folder;

  private TerminalConversation conversation() throws Exception {
    var scene = Scene.in(folder, Scene.plan("Print the first word"), Scene.last("echo hunter2 é"));
    var conversation = scene.session().ask("Print a word, not hunter2");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    return conversation;
  }

  @Test
  void it_has_what_was_asked_decided_and_printed_and_no_secret() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    long before = Transcript.export(conversation.journal(), file).added();
    Scene.approve(conversation);
    long after = Transcript.export(conversation.journal(), file).added();
    assertThat(before).isPositive();
    assertThat(after).isPositive();
    assertThat(Transcript.export(conversation.journal(), file).added()).isZero();
    var text = Files.readString(file);
    assertThat(text)
        .contains("CommandSuggested", "CommandApproved", "CommandSucceeded", "[secret]")
        .doesNotContain("hunter2");
    var check = Transcript.verify(file);
    assertThat(check.lines()).isEqualTo(before + after);
    assertThat(check.broken()).isEmpty();
    assertThat(check.tornBytes()).isZero();
  }

  @Test
  void only_its_owner_reads_it_whoever_made_the_file() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-")));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    var _ = Transcript.export(conversation.journal(), file);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void every_flipped_byte_is_found_and_nothing_is_added_behind_it() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    var _ = Transcript.export(conversation.journal(), file);
    var bytes = Files.readAllBytes(file);
    int found = 0;
    for (int at = 0; at < bytes.length; at += 7) {
      var changed = bytes.clone();
      changed[at] ^= 1;
      Files.write(file, changed);
      var check = Transcript.verify(file);
      boolean isFound = check.broken().isPresent() || check.tornBytes() > 0;
      assertThat(isFound).as("byte %d", at).isTrue();
      found++;
      if (check.broken().isPresent()) {
        assertThatThrownBy(() -> Transcript.export(conversation.journal(), file))
            .isInstanceOf(TranscriptBroken.class);
        assertThat(Files.readAllBytes(file)).isEqualTo(changed);
      }
    }
    assertThat(found).isGreaterThan(100);
  }

  @Test
  void a_line_that_is_missing_or_moved_breaks_the_chain_where_it_was() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    var _ = Transcript.export(conversation.journal(), file);
    var lines = Files.readAllLines(file);
    lines.remove(3);
    Files.write(file, lines);
    assertThat(Transcript.verify(file).broken().orElseThrow().line()).isEqualTo(4);
  }

  @Test
  void a_torn_last_line_is_cut_off_with_a_notice_and_written_again() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    var _ = Transcript.export(conversation.journal(), file);
    var whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 20));
    assertThat(Transcript.verify(file).tornBytes()).isPositive();
    var export = Transcript.export(conversation.journal(), file);
    assertThat(export.notices()).singleElement().asString().contains("not whole");
    assertThat(export.added()).isEqualTo(1);
    assertThat(Files.readAllBytes(file)).isEqualTo(whole);
  }

  @Test
  void one_writes_at_a_time() throws Exception {
    var conversation = conversation();
    var file = folder.resolve("t.jsonl");
    try (var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertThatThrownBy(() -> Transcript.export(conversation.journal(), file))
          .isInstanceOf(TranscriptBusy.class);
    }
    assertThat(Files.readString(file, StandardCharsets.UTF_8)).isEmpty();
  }

  @Test
  void the_page_for_people_cannot_be_broken_out_of() throws Exception {
    var scene =
        Scene.in(
            folder,
            Scene.plan("Print the first word"),
            Scene.last("printf '```\\n# Fake\\n\\033[2J'"));
    var conversation = scene.session().ask("Print a word");
    conversation.advance();
    conversation.decide(new PlanDecision.Accept());
    var page = Scene.approve(conversation).markdown();
    assertThat(page).contains("````text").doesNotContain("\u001b");
  }
}
