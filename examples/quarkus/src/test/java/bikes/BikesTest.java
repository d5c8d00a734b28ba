package bikes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.testkit.model.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The packaged service in processes of its own, asked by HTTP.
@Timeout(120)
class BikesTest {
  private static final String SCRIPTED = "scripted://replies.json";
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final String APPROVED = "{\"%s\":{\"decisions\":[{\"type\":\"approve\"}]}}";

  private static final int BY_SIGNAL = 128 + 15;
  private static final Answer.Says MOMENT =
      new Answer.Says(
          List.of("One moment"),
          List.of(new ToolCall("a", "find_repair", "{\"number\":7}")),
          Finish.TOOL_CALLS);
  private static final Answer.Says READY =
      new Answer.Says(List.of("Your bike", " is ready."), List.of(), Finish.STOP);

  @TempDir Path folder;
  private final Services services = new Services();

  @AfterEach
  void stop() throws InterruptedException {
    services.close();
  }

  private Service start(String model) throws IOException {
    return services.start(folder.resolve("threads.db"), model);
  }

  private static String id(String text) {
    var id = ID.matcher(text);
    assertThat(id.find()).as(text).isTrue();
    return id.group(1);
  }

  /// Reads a stream to its end, or until a line has this.
  private static String read(BufferedReader lines, String until) throws IOException {
    var read = new StringBuilder();
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      read.append(line).append('\n');
      if (line.contains(until)) break;
    }
    return read.toString();
  }

  @Test
  void a_question_is_answered_and_the_service_is_ready() throws Exception {
    var service = start(SCRIPTED);
    var answer = service.post("c1", "Is my bike ready?");
    assertThat(answer.body()).isEqualTo("{\"answer\":\"Your bike is ready.\"}");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(service.get("chats/c1").body()).contains("\"said\":\"Your bike is ready.\"");
    assertThat(service.get("chats/c2").statusCode()).isEqualTo(404);
    var health = service.get("q/health/ready");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).contains("\"name\": \"threads\"");
  }

  @Test
  void a_streamed_question_is_answered_after_the_service_was_started_again() throws Exception {
    var first = start(SCRIPTED);
    var asked = read(first.stream("c1/stream", "I want my money back."), "\"how\"");
    assertThat(asked).contains("event:question", "{\"how\":\"waiting\"}");
    assertThat(first.stop()).isEqualTo(BY_SIGNAL);

    var second = start(SCRIPTED);
    assertThat(id(second.get("chats/c1").body())).isEqualTo(id(asked));
    assertThat(second.post("c1/answers", "{\"%s\":{}}".formatted(id(asked))).statusCode())
        .isEqualTo(400);
    var answered =
        read(second.stream("c1/answers/stream", APPROVED.formatted(id(asked))), "\"how\"");
    assertThat(answered)
        .contains("event:text", "You have your money back.", "{\"how\":\"completed\"}");
  }

  @Test
  void a_stopped_service_ends_its_runs_where_the_next_one_goes_on() throws Exception {
    try (var model = HeldModel.replying(MOMENT, READY)) {
      var first = start(model.url());
      var stream = first.stream("c1/stream", "Is my bike ready?");
      read(stream, "One moment");
      assertThat(first.post("c1/stream", "Hello?").statusCode()).as("one at a time").isEqualTo(409);
      first.askToStop();
      first.awaitReady(503);
      assertThat(first.post("c2", "Hello?").statusCode()).as("no further runs").isEqualTo(503);
      model.release();
      assertThat(read(stream, "\"how\"")).contains("{\"how\":\"stopped\"}");
      assertThat(first.awaitEnd()).isEqualTo(BY_SIGNAL);
      goesOn(model);
    }
  }

  @Test
  void a_killed_service_goes_on_with_its_runs_when_it_is_started_again() throws Exception {
    try (var model = HeldModel.replying(MOMENT, MOMENT, READY)) {
      var first = start(model.url());
      read(first.stream("c1/stream", "Is my bike ready?"), "One moment");
      first.kill();
      goesOn(model);
      assertThat(model.asked()).as("the killed call is made again").isEqualTo(3);
    }
  }

  @Test
  void a_client_that_goes_away_does_not_stop_its_run() throws Exception {
    try (var model = HeldModel.replying(MOMENT, READY)) {
      var service = start(model.url());
      try (var stream = service.stream("c1/stream", "Is my bike ready?")) {
        read(stream, "One moment");
      }
      model.release();
      service.awaitBody("chats/c1", "\"said\":\"Your bike is ready.\"");
    }
  }

  private void goesOn(HeldModel model) throws Exception {
    var next = start(model.url());
    next.awaitBody("chats/c1", "\"said\":\"Your bike is ready.\"");
    assertThat(model.left()).isZero();
  }
}
