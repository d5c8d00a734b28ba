package dev.superstep.spring.ai;

import static dev.superstep.model.ChatReply.Finish.STOP;
import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static dev.superstep.model.ModelException.Kind.RATE_LIMITED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.Feature;
import dev.superstep.testkit.model.ModelFailureSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.EnumSet;
import java.util.List;
import org.springframework.ai.ollama.OllamaChatModel;
import org.springframework.ai.ollama.api.OllamaApi;
import org.springframework.ai.ollama.api.OllamaChatOptions;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/// Spring AI's own model of a vendor's, asked by way of the bridge.
class OllamaModelTest implements ChatModelSuite {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.OLLAMA.format());
    var api =
        OllamaApi.builder()
            .baseUrl(server.url())
            .restClientBuilder(
                RestClient.builder().requestFactory(new JdkClientHttpRequestFactory(CLIENT)))
            .webClientBuilder(
                WebClient.builder().clientConnector(new JdkClientHttpConnector(CLIENT)))
            .build();
    var theirs =
        OllamaChatModel.builder()
            .ollamaApi(api)
            .retryTemplate(new RetryTemplate(RetryPolicy.withMaxRetries(0)))
            .options(OllamaChatOptions.builder().model("qwen3:8b").build())
            .build();
    var features = EnumSet.copyOf(WireFormats.OLLAMA.features());
    features.removeAll(EnumSet.of(Feature.EFFORT, Feature.THINKING_BACK));
    return new ModelUnderTest(FromSpringAi.model("ollama", theirs), server, "", features);
  }

  // What follows is what Spring AI's model of Ollama cannot do, whoever asks it.

  /// A result of a tool is a text in Spring AI, and the picture is only mentioned.
  @Override
  public void a_picture_is_sent_from_people_and_from_tools() {}

  /// Its errors of whole replies have no headers.
  @Override
  public void too_many_requests_say_how_long_to_wait(ModelUnderTest test) {
    test.server().answer(Answer.error(429, "Slow down."));
    assertThat(ModelFailureSuite.failure(test).kind()).isEqualTo(RATE_LIMITED);
  }

  /// It takes a stream without an end, or with an error in it, for a whole one.
  @Override
  public void a_stream_that_breaks_off_is_malformed() {}

  @Override
  public void an_error_in_the_middle_of_a_stream_is_typed(ModelUnderTest test) {}

  /// It repeats the name of the model for each piece of a stream with calls.
  @Override
  public void a_merged_stream_equals_the_call(ModelUnderTest test) throws InterruptedException {
    var says = new Answer.Says(List.of("First", " this."), List.of("One", " two"), List.of(), STOP);
    test.server().answer(says).answer(says);
    var request = ChatRequest.of(Message.user("Go"));
    assertThat(test.model().stream(request, _ -> {})).isEqualTo(test.model().call(request));
  }

  /// It keeps its connection until the server says something more.
  @Override
  public void a_piece_arrives_before_the_reply_is_over(ModelUnderTest test) {
    test.server().answer(new Answer.Stalls("first"));
    var stop = new IllegalStateException("seen enough");
    var request = ChatRequest.of(Message.user("Go"));
    assertThatThrownBy(() ->
            test.model().stream(
                request,
                _ -> {
                  throw stop;
                }))
        .isSameAs(stop);
  }

  @Override
  public void an_interrupt_cancels_a_stream_at_once() {}

  /// Vendor options are options of its own type.
  @Override
  public void the_vendors_own_options_are_sent_as_they_are() {
    try (var test = open()) {
      var request = ChatRequest.of(Message.user("Go")).withVendorOptions(Json.parse("{\"a\":1}"));
      var refused = catchThrowableOfType(ModelException.class, () -> test.model().call(request));
      assertThat(refused.kind()).isEqualTo(BAD_REQUEST);
    }
  }

  @Override
  public void vendor_options_never_replace_options_that_have_a_method(ModelUnderTest test) {}

  /// It sends the link as if it were a picture, which Ollama refuses.
  @Override
  public void a_link_to_a_picture_is_sent_or_refused(ModelUnderTest test) {
    var link = new Content.ImageLink(URI.create("https://example.org/cat.png"));
    var request = ChatRequest.of(Message.user(new Content.Text("What is it?"), link));
    var refused = catchThrowableOfType(ModelException.class, () -> test.model().call(request));
    assertThat(refused.kind()).isEqualTo(BAD_REQUEST);
  }
}
