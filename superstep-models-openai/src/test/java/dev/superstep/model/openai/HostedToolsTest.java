package dev.superstep.model.openai;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.budget.HostedFees;
import dev.superstep.json.Json;
import dev.superstep.message.HostedFile;
import dev.superstep.message.Message;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.HostedTool;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ModelUnderTest;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What tools that run at OpenAI leave in a conversation. The server enforces OpenAI's rules.
class HostedToolsTest {
  private static final Message QUESTION = Message.user("Who won?");

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_openai_searched_goes_back_in_its_order_and_bare_thoughts_do_not(boolean isStreamed)
      throws InterruptedException {
    var thought = "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[]%s}";
    var sealed = thought.formatted(",\"encrypted_content\":\"c2VhbA==\"");
    var searched =
        """
        {"id":"ws_1","type":"web_search_call","status":"completed",\
        "action":{"type":"search","query":"won"}}\
        """;
    var message =
        """
        {"id":"msg_1","type":"message","role":"assistant","status":"completed",\
        "content":[{"type":"output_text","text":"She did.","annotations":[]}]}\
        """;
    var items = List.of(sealed, searched, thought.formatted(""), message);
    try (var test = new OpenAiResponsesTest().open()) {
      var tool = new HostedTool("openai", Json.parse("{\"type\":\"web_search\"}"));
      test.server()
          .answer(new Answer.Sends(isStreamed ? events(items) : response(items)))
          .answer(Answer.text("Yes."));
      var first = ChatRequest.of(QUESTION).withHostedTools(tool);
      var reply = isStreamed ? test.model().stream(first, _ -> {}) : test.model().call(first);
      assertThat(reply.message().text()).isEqualTo("She did.");
      assertThat(sent(test).at("/tools/0/type").asString()).isEqualTo("web_search");
      again(test, reply, tool);
      var input = sent(test).path("input");
      assertThat(types(input))
          .containsExactly("user", "reasoning", "web_search_call", "assistant", "user");
      assertThat(input.get(2).toString()).isEqualTo(searched);
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void files_that_code_made_at_openai_are_listed(boolean isStreamed) throws InterruptedException {
    var annotation =
        """
        {"type":"container_file_citation","container_id":"cntr_1","file_id":"cfile_1",\
        "filename":"plot.png","start_index":0,"end_index":1}\
        """;
    var ran =
        "{\"id\":\"ci_1\",\"type\":\"code_interpreter_call\",\"status\":\"completed\",\"container_id\":\"cntr_1\"}";
    var message =
        """
        {"id":"msg_1","type":"message","role":"assistant","status":"completed",\
        "content":[{"type":"output_text","text":"She did.","annotations":[%s]}]}\
        """
            .formatted(annotation);
    var added =
        "data: {\"type\":\"response.output_text.annotation.added\",\"annotation\":"
            + annotation
            + "}\n\n";
    try (var test = new OpenAiResponsesTest().open()) {
      var items = List.of(ran, message);
      test.server()
          .answer(new Answer.Sends(isStreamed ? added + events(items) : response(items)))
          .answer(Answer.text("Yes."));
      var tool = new HostedTool("openai", Json.parse("{\"type\":\"code_interpreter\"}"));
      var first = ChatRequest.of(QUESTION).withHostedTools(tool);
      var reply = isStreamed ? test.model().stream(first, _ -> {}) : test.model().call(first);
      assertThat(HostedFile.of(reply.message()))
          .containsExactly(new HostedFile("openai", "cfile_1", "cntr_1", "plot.png"));
      assertThat(HostedFees.standard().of(test.model().ref(), reply.message())).isEqualTo("0.03");
      again(test, reply, tool);
      assertThat(sent(test).path("input").get(1).toString()).isEqualTo(ran);
      assertThat(sent(test).toString()).doesNotContain("cfile_1");
      assertThat(test.server().refusals()).isEmpty();
    }
  }

  private static String response(List<String> items) {
    return """
    {"id":"r1","object":"response","created_at":1,"model":"m","status":"completed","error":null,\
    "incomplete_details":null,"output":[%s],"usage":{}}\
    """
        .formatted(String.join(",", items));
  }

  private static String events(List<String> items) {
    var events = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      if (i == items.size() - 1) {
        events.append("data: {\"type\":\"response.output_text.delta\",\"delta\":\"She did.\"}\n\n");
      }
      events.append(
          "data: {\"type\":\"response.output_item.done\",\"output_index\":%d,\"item\":%s}\n\n"
              .formatted(i, items.get(i)));
    }
    var end = "data: {\"type\":\"response.completed\",\"response\":%s}\n\n";
    return events.append(end.formatted(response(items))).toString();
  }

  private static List<String> types(JsonNode input) {
    return input
        .valueStream()
        .map(item -> item.path("type").asString(item.path("role").asString("")))
        .toList();
  }

  private static void again(ModelUnderTest test, ChatReply reply, HostedTool tool)
      throws InterruptedException {
    var next = ChatRequest.of(QUESTION, reply.message(), Message.user("Sure?"));
    assertThat(test.model().call(next.withHostedTools(tool)).message().text()).isEqualTo("Yes.");
  }

  private static JsonNode sent(ModelUnderTest test) {
    return JsonMapper.shared().readTree(test.server().lastBody());
  }
}
