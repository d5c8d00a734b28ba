package dev.superstep.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Programs that are talked to in frames, and are not trusted.
@Tag("X23")
@Timeout(120)
class FramedProcessTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final Sandbox sandbox = Sandbox.open();

  private FramedProcess start(Tier tier, int most, String script) throws Exception {
    var report = sandbox.machine().of(tier);
    if (!report.isAvailable()) System.out.println("skipped: " + tier + ": " + report.missing());
    assumeTrue(report.isAvailable(), report.missing().toString());
    var command = SandboxCommand.of(tier, folder.toRealPath(), "sh", "-c", script);
    return FramedProcess.start(sandbox, command, most);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void frames_go_and_come_whole(Tier tier) throws Exception {
    try (var echo = start(tier, 1 << 20, "exec cat")) {
      for (var text : new String[] {"", "one", "ä".repeat(500_000)}) {
        echo.send(bytes(text), SOON);
        assertThat(echo.receive(SOON))
            .hasValueSatisfying(b -> assertThat(b).isEqualTo(bytes(text)));
      }
      assertThat(echo.receive(Duration.ZERO)).isEmpty();
      assertThatThrownBy(() -> echo.send(new byte[(1 << 20) + 1], SOON))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_frame_above_the_limit_ends_the_program_before_it_is_read() throws Exception {
    for (var length : new String[] {"\\377\\377\\377\\377", "\\0\\0\\4\\001"}) {
      try (var process = start(Tier.PROCESS, 1024, "printf '" + length + "'; sleep 1000")) {
        assertThatThrownBy(() -> process.receive(SOON))
            .isInstanceOf(SandboxError.FrameTooLarge.class)
            .hasMessageContaining("1024 are allowed");
        assertThatThrownBy(() -> process.receive(SOON))
            .isInstanceOf(SandboxError.FrameTooLarge.class);
      }
    }
  }

  @Test
  void an_end_in_the_midst_of_a_frame_is_told_with_the_code_and_the_complaint() throws Exception {
    try (var process = start(Tier.PROCESS, 1024, "printf '\\0\\0\\0\\5ab'; echo why >&2; exit 7")) {
      assertThatThrownBy(() -> process.receive(SOON))
          .isInstanceOf(SandboxError.ProcessEnded.class)
          .hasMessageContaining("it exited with code 7, and said: why");
      assertThatThrownBy(() -> process.send(bytes("x"), SOON))
          .isInstanceOf(SandboxError.ProcessEnded.class);
    }
  }

  @Test
  void a_program_that_does_not_read_is_ended() throws Exception {
    try (var process = start(Tier.PROCESS, 1 << 20, "sleep 1000")) {
      assertThatThrownBy(() -> process.send(new byte[1 << 20], Duration.ofMillis(200)))
          .isInstanceOf(SandboxError.ProcessEnded.class)
          .hasMessageContaining("it does not read");
    }
  }

  @Test
  void a_flood_of_frames_and_complaints_waits_and_takes_no_memory() throws Exception {
    var flood = "yes complaint >&2 & while :; do printf '\\0\\0\\0\\1x'; done";
    try (var process = start(Tier.PROCESS, 1024, flood)) {
      for (int i = 0; i < 1_000; i++) assertThat(process.receive(SOON)).isPresent();
    }
  }

  @Test
  void whoever_waits_goes_on_when_it_is_closed() throws Exception {
    try (var process = start(Tier.PROCESS, 1024, "sleep 1000")) {
      var closing = Thread.ofPlatform().start(process::close);
      assertThatThrownBy(() -> process.receive(SOON))
          .isInstanceOf(SandboxError.ProcessEnded.class)
          .hasMessageContaining("it was closed");
      closing.join();
    }
  }
}
