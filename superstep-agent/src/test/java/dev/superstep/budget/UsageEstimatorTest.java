package dev.superstep.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatReply.Source;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;
import java.net.URI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which numbers of a vendor are believed, and what takes the place of the others.
@Tag("T53")
final class UsageEstimatorTest {
  private static final TokenCounter COUNTER = TokenCounter.approximate();
  private static final TokenCounter BYTES = text -> 3L * text.length();
  private static final ChatRequest ASK =
      ChatRequest.of(Message.user("x".repeat(300))).withMaxTokens(50);
  private static final long PROMPT = COUNTER.count(ASK);

  private static UsageEstimator estimate(ChatRequest request, boolean isLimited) {
    return new UsageEstimator(request, ModelProfile.UNKNOWN, COUNTER, isLimited);
  }

  private static ChatReply reply(String text, Usage usage) {
    var said = ScriptedModel.text(text);
    var by = new ModelRef("scripted", "known");
    return new ChatReply(said.message(), usage, said.finish(), by, Source.LIVE);
  }

  private static Usage of(Usage told) {
    return estimate(ASK, true).of(reply("ok", told));
  }

  @Test
  void plausible_usage_is_accepted_up_to_the_last_token() {
    for (var told :
        new Usage[] {
          new Usage(100, 0, 0, 10, 0, false),
          new Usage(100, 100, 0, 10, 10, false),
          new Usage(100, 60, 40, 10, 10, false),
          new Usage(100, 0, 100, 10, 3, false)
        }) {
      assertThat(of(told)).isSameAs(told);
    }
  }

  @Test
  void parts_above_their_total_count_as_the_highest_possible_usage() {
    var input = new Usage(100, 100, 0, 10, 3, true);
    assertThat(of(new Usage(100, 60, 41, 10, 3, false))).isEqualTo(input);
    assertThat(of(new Usage(100, 101, 0, 10, 3, false))).isEqualTo(input);
    assertThat(of(new Usage(100, -1, 0, 10, 3, false))).isEqualTo(input);
    assertThat(of(new Usage(100, 0, -1, 10, 3, false))).isEqualTo(input);
    var output = new Usage(100, 60, 40, 10, 10, true);
    assertThat(of(new Usage(100, 60, 40, 10, 11, false))).isEqualTo(output);
    assertThat(of(new Usage(100, 60, 40, 10, -1, false))).isEqualTo(output);
  }

  @Test
  void zero_usage_is_accepted_from_a_recording_but_not_from_a_live_reply() {
    assertThat(of(Usage.NONE)).isEqualTo(new Usage(PROMPT, PROMPT, 0, 50, 50, true));
    for (var source : new Source[] {Source.RECORDED, Source.CACHED, Source.SCRIPTED}) {
      var reply = reply("ok", Usage.NONE).withSource(source);
      assertThat(estimate(ASK, true).of(reply)).isSameAs(Usage.NONE);
      var wrong = reply.withUsage(new Usage(-1, 0, -1, 0));
      assertThat(estimate(ASK, true).of(wrong))
          .isEqualTo(new Usage(PROMPT, PROMPT, 0, 50, 50, true));
    }
  }

  @Test
  void a_reply_without_text_can_have_no_output() {
    var told = new Usage(100, 0, 0, 0);
    assertThat(estimate(ASK, true).of(reply("", told))).isSameAs(told);
    assertThat(estimate(ASK, true).of(reply("ok", told)).output()).isEqualTo(50);
  }

  @Test
  void unreported_output_counts_as_the_longest_possible_if_a_budget_depends_on_it() {
    var text = "y".repeat(3_000);
    long said = COUNTER.count(reply(text, Usage.NONE).message());
    var told = new Usage(100, 0, 0, -1);
    assertThat(said).isGreaterThan(50);
    assertThat(estimate(ASK, true).of(reply(text, told)).output()).isEqualTo(said);
    assertThat(estimate(ASK, true).of(reply("ok", told)).output()).isEqualTo(50);
    var few = COUNTER.count(reply("ok", told).message());
    assertThat(estimate(ASK, false).of(reply("ok", told)).output()).isEqualTo(few);
  }

  /// The most tokens that are believed of a prompt.
  private static long inputMax(ChatRequest request) {
    var estimate = estimate(request, true);
    long most = estimate.of(reply("ok", new Usage(Long.MAX_VALUE, 0, 1, 0))).input();
    var exact = new Usage(most, 0, 1, 0);
    assertThat(estimate.of(reply("ok", exact))).isSameAs(exact);
    assertThat(estimate.of(reply("ok", new Usage(most + 1, 0, 1, 0))).estimated()).isTrue();
    return most;
  }

  @Test
  void a_prompt_has_at_most_its_bytes_twice_with_a_template_and_its_pictures() {
    long template = 65_536;
    assertThat(inputMax(ASK)).isEqualTo(template + 2 * BYTES.count(ASK));
    var pictures =
        ChatRequest.of(
            Message.user(
                new Content.Text("Look."),
                new Content.Image("image/png", "AAAA"),
                new Content.ImageLink(URI.create("https://example.org/a.png"))));
    assertThat(inputMax(pictures)).isEqualTo(template + 200_000 + 2 * BYTES.count(pictures));
  }

  @Test
  void known_limits_of_a_model_bound_the_accepted_usage() {
    var profile = ModelProfile.UNKNOWN.within(80, 40);
    var estimate = new UsageEstimator(ASK, profile, COUNTER, true);
    // What was sent and asked for is more than what is known of the model.
    assertThat(PROMPT).isGreaterThan(80);
    assertThat(estimate.of(reply("ok", new Usage(5_000, 0, 5_000, 0))))
        .isEqualTo(new Usage(PROMPT, PROMPT, 0, 50, 50, true));
  }

  @Test
  void a_failed_call_counts_the_highest_usage_that_is_possible() {
    var whole = new Usage(PROMPT, PROMPT, 0, 50, 50, true);
    var prompt = new Usage(PROMPT, 0, 0, 0, 0, true);
    var limited = estimate(ASK, true);
    assertThat(limited.of(new IllegalStateException("broken"))).isEqualTo(whole);
    assertThat(estimate(ASK, false).of(new IllegalStateException("broken"))).isEqualTo(prompt);
    for (var kind : ModelException.Kind.values()) {
      var expected =
          switch (kind) {
            case BAD_URL, UNAVAILABLE -> Usage.NONE;
            case AUTH, QUOTA, RATE_LIMITED, OVERLOADED, BAD_REQUEST, CONTEXT_LENGTH -> prompt;
            case REFUSED, TIMEOUT, MALFORMED, TRANSPORT, TOO_LARGE -> whole;
          };
      assertThat(limited.of(new ModelException(kind, "It failed.")))
          .as("%s", kind)
          .isEqualTo(expected);
    }
  }
}
