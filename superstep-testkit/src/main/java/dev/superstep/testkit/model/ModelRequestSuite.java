package dev.superstep.testkit.model;

import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Effort;
import dev.superstep.model.ModelException;
import dev.superstep.model.ToolChoice;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests of the requests that a vendor gets. Part of [ChatModelSuite].
public interface ModelRequestSuite extends ModelSuite {
  @Test
  default void the_share_of_likely_tokens_is_sent() throws InterruptedException {
    assertThat(sent(go().withTopP(0.375))).contains("0.375");
  }

  @Test
  default void stop_texts_are_sent_or_refused(ModelUnderTest test) throws InterruptedException {
    if (test.has(Feature.STOP)) {
      assertThat(sent(go().withStop("HALT", "</end>"))).contains("HALT", "</end>");
    } else {
      assertThat(refused(test, go().withStop("HALT"))).hasMessageContaining("stop");
    }
  }

  @Test
  default void the_effort_is_sent_where_the_vendor_knows_one(ModelUnderTest test)
      throws InterruptedException {
    var plain = sent(go());
    var much = sent(go().withEffort(Effort.HIGH));
    assertThat(much.equals(plain)).isEqualTo(!test.has(Feature.EFFORT));
  }

  @Test
  default void tools_can_be_forbidden_demanded_and_named(ModelUnderTest test)
      throws InterruptedException {
    var asked = ChatModelSuite.withTools();
    var bodies = new LinkedHashSet<String>();
    bodies.add(sent(asked));
    bodies.add(sent(asked.withToolChoice(new ToolChoice.None())));
    bodies.add(sent(asked.withToolChoice(new ToolChoice.Named("search"))));
    assertThat(bodies).hasSize(3).last().asString().contains("search");
    bodies.add(sent(asked.withToolChoice(new ToolChoice.Required())));
    assertThat(bodies).hasSize(test.has(Feature.FORCED_CALLS) ? 4 : 3);
  }

  @Test
  default void a_choice_without_tools_changes_nothing() throws InterruptedException {
    assertThat(sent(go().withToolChoice(new ToolChoice.Required()))).isEqualTo(sent(go()));
  }

  @Test
  default void a_picture_is_sent_from_people_and_from_tools() throws InterruptedException {
    var picture = new Content.Image("image/png", "iVBORw0KGgo0");
    var fromUser = ChatRequest.of(Message.user(new Content.Text("What is it?"), picture));
    assertThat(sent(fromUser)).contains("What is it?", "iVBORw0KGgo0");
    var content = List.<Content>of(new Content.Text("a screenshot"), picture);
    var answer = new ToolMessage("", "call-1", "ping", content, false, Optional.empty());
    var fromTool =
        ChatRequest.of(Message.user("Look"), calling("call-1", "ping"), answer)
            .withTools(List.of(ChatModelSuite.PING));
    assertThat(sent(fromTool)).contains("a screenshot", "iVBORw0KGgo0");
  }

  @Test
  default void a_link_to_a_picture_is_sent_or_refused(ModelUnderTest test)
      throws InterruptedException {
    var link = new Content.ImageLink(URI.create("https://example.org/cat.png"));
    var request = ChatRequest.of(Message.user(new Content.Text("What is it?"), link));
    if (test.has(Feature.IMAGE_LINKS)) {
      assertThat(sent(request)).contains("https://example.org/cat.png");
    } else {
      assertThat(refused(test, request)).hasMessageContaining("cat.png");
    }
  }

  @Test
  default void json_in_a_message_is_sent_as_text() throws InterruptedException {
    var data = new Content.Data(Json.parse("{\"answer\":42}"));
    assertThat(sent(ChatRequest.of(Message.user(data)))).contains("{\\\"answer\\\":42}");
  }

  @Test
  default void the_vendors_own_options_are_sent_as_they_are() throws InterruptedException {
    var options = Json.parse("{\"x_mine\":{\"deep\":[1,\"two\"]},\"x_other\":false}");
    assertThat(sent(go().withVendorOptions(options)))
        .contains("\"x_mine\":{\"deep\":[1,\"two\"]}", "\"x_other\":false");
  }

  @Test
  @Tag("T13")
  default void vendor_options_never_replace_options_that_have_a_method(ModelUnderTest test)
      throws InterruptedException {
    var request = go().withTemperature(0.5).withTopP(0.5).withMaxTokens(3);
    var options = Json.unchecked(sent(request));
    assertThat(refused(test, go().withVendorOptions(options)))
        .hasMessageContaining("is set by a method");
    assertThat(refused(test, go().withVendorOptions(Json.parse("[1]"))))
        .hasMessageContaining("not a JSON object");
    assertThat(test.server().asked()).isEmpty();
  }

  @Test
  default void labels_and_ids_of_messages_are_never_sent() throws InterruptedException {
    var request =
        ChatRequest.of(Message.user("Go").withId("id-of-mine")).withLabel("name", "label-of-mine");
    assertThat(sent(request)).doesNotContain("of-mine");
  }

  @Test
  default void tool_data_kept_by_the_program_is_never_sent() throws InterruptedException {
    var artifact = Optional.of(Json.parse("\"artifact-of-mine\""));
    var content = Content.of("a result");
    var answer = new ToolMessage("", "call-1", "ping", content, false, artifact);
    var request =
        ChatRequest.of(Message.user("Look"), calling("call-1", "ping"), answer)
            .withTools(List.of(ChatModelSuite.PING));
    assertThat(sent(request)).contains("a result").doesNotContain("of-mine");
  }

  @Test
  default void thoughts_and_seals_are_not_sent_to_another_vendor() throws InterruptedException {
    var seal = new Content.Seal("elsewhere", Json.parse("{\"secret\":\"sealed-elsewhere\"}"));
    var reply =
        new AssistantMessage(
            "",
            List.of(
                new Content.Thinking("thought-elsewhere", Optional.of(seal)),
                new Content.Extension(seal),
                new Content.Text("I call.")),
            List.of(new ToolCall("call-1", "ping", "{}", Optional.of(seal))));
    var request =
        ChatRequest.of(
                Message.user("Look"), reply, new ToolMessage("", "call-1", "ping", "pong", false))
            .withTools(List.of(ChatModelSuite.PING));
    assertThat(sent(request)).contains("I call.", "pong").doesNotContain("elsewhere");
  }

  @Test
  default void empty_turns_do_not_prevent_a_request() throws InterruptedException {
    var silent = new AssistantMessage("", "", List.of());
    var empty = new ToolMessage("", "call-1", "ping", "", false);
    for (var messages :
        List.of(
            List.of(Message.user("")),
            List.of(Message.system(" "), Message.user("Go")),
            List.of(Message.system("Only rules.")),
            List.of(Message.system("")),
            List.of(Message.user("Go"), silent, Message.user("Go on")),
            List.of(Message.user("Go"), Message.assistant(" \n"), Message.user(" ")),
            List.of(Message.user("Go"), calling("call-1", "ping"), empty))) {
      var request = ChatRequest.of(messages).withTools(List.of());
      assertThat(sent(request)).as("%s", messages).isNotBlank();
    }
  }

  private static ChatRequest go() {
    return ChatRequest.of(Message.user("Go"));
  }

  private static AssistantMessage calling(String id, String tool) {
    return new AssistantMessage("", "", List.of(new ToolCall(id, tool, "{}")));
  }

  private static ModelException refused(ModelUnderTest test, ChatRequest request) {
    var failure = catchThrowableOfType(ModelException.class, () -> test.model().call(request));
    assertThat(failure.kind()).isEqualTo(BAD_REQUEST);
    return failure;
  }

  private String sent(ChatRequest request) throws InterruptedException {
    try (var test = open()) {
      test.server().answer(Answer.text("Fine."));
      var reply = test.model().call(request);
      assertThat(reply.finish()).isEqualTo(ChatReply.Finish.STOP);
      return test.server().lastBody();
    }
  }
}
