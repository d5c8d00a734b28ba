package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Content;
import dev.superstep.message.Message;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.Redacting.Place;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RedactingTest {
  record To(String address) {}

  private static final String KEY = "sk-abcdefghij0123456789";
  private final Stage stage = new Stage();
  private final Redacting emails = Redacting.of(Pii.email());

  private static List<String> texts(List<? extends Message> messages) {
    return messages.stream().map(Message::text).toList();
  }

  @Test
  @Tag("T45")
  void redacted_user_text_reaches_neither_the_model_nor_the_newest_state() throws Exception {
    var model = Stage.saying("Hello", "Again");
    var agent = agent(model, emails).build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var first = agent.run("I am ann@example.org.", stage.on(options).options());
    assertThat(texts(first.report().conversation()))
        .containsExactly("I am [redacted email].", "Hello");
    assertThat(texts(model.requests().getFirst().messages()))
        .containsExactly("I am [redacted email].");
    assertThat(stage.heard(AgentEvent.ContentRedacted.class))
        .containsExactly(new AgentEvent.ContentRedacted("test", "Redacting", "email", 1));
    stage.heard.clear();
    var second = agent.run("Still me", stage.options());
    assertThat(texts(second.report().conversation()))
        .containsExactly("I am [redacted email].", "Hello", "Still me", "Again");
    assertThat(stage.heard(AgentEvent.ContentRedacted.class)).isEmpty();
  }

  @Test
  @Tag("T45")
  void a_reply_is_redacted_before_it_is_saved_or_streamed() throws Exception {
    var agent = agent(Stage.saying("Ask bob@example.org."), emails).build();
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var seen = new ArrayList<String>();
    var listening = stage.on(options).options().listener(event -> seen.add(String.valueOf(event)));
    var result = agent.run("Who?", listening);
    assertThat(result.answer()).isEqualTo("Ask [redacted email].");
    assertThat(stage.text).hasToString("Ask [redacted email].|");
    assertThat(seen).isNotEmpty().noneMatch(event -> event.contains("bob@example.org"));
    // Neither in any checkpoint, nor in what is kept of the node's steps.
    assertThat(result.report().conversation().toString()).doesNotContain("bob@");
  }

  @Test
  void the_saved_record_of_a_turn_is_redacted_too() throws Exception {
    var store = new InMemoryCheckpointer();
    var options = RunOptions.thread("t").checkpoints(store);
    var fails = new java.util.concurrent.atomic.AtomicBoolean(true);
    var heard = new ArrayList<String>();
    var failing =
        new dev.superstep.middleware.Middleware() {
          @Override
          public ChatReply afterModel(
              ChatReply reply, dev.superstep.middleware.AgentContext context) {
            heard.add(reply.message().text());
            if (fails.get()) throw new IllegalStateException("crash");
            return reply;
          }
        };
    var agent = agent(Stage.saying("Ask bob@example.org."), emails, failing).build();
    assertThatThrownBy(() -> agent.run("Who?", options)).hasRootCauseMessage("crash");
    fails.set(false);
    var result = agent.resume(dev.superstep.run.Answers.none(), options);
    assertThat(result.answer()).isEqualTo("Ask [redacted email].");
    assertThat(heard).containsOnly("Ask [redacted email].").hasSize(2);
  }

  private dev.superstep.agent.AgentBuilder mailing(List<String> sent, Redacting redacting) {
    var tool =
        Tool.of(
            "send",
            "Sends.",
            To.class,
            (to, _) -> {
              sent.add(to.address());
              return ToolResult.of("sent to " + to.address())
                  .withArtifact(Json.string(to.address()));
            });
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "send", "{\"address\":\"ann@example.org\"}")),
            ScriptedModel.text("Done."));
    return agent(model, redacting).tools(tool);
  }

  @Test
  @Tag("T45")
  void tool_results_are_redacted_and_tool_arguments_are_not() throws Exception {
    var sent = new ArrayList<String>();
    var result = stage.run(mailing(sent, emails));
    assertThat(sent).containsExactly("ann@example.org");
    var answer = (ToolMessage) result.report().conversation().get(2);
    assertThat(answer.text()).isEqualTo("sent to [redacted email]");
    assertThat(answer.artifact()).contains(Json.string("ann@example.org"));
    // Those who listen do not see the arguments either.
    assertThat(stage.heard(AgentEvent.ModelDelta.class))
        .extracting(AgentEvent.ModelDelta::text)
        .containsExactly("{\"address\":\"[redacted email]\"}");
  }

  @Test
  void the_arguments_of_calls_are_changed_if_that_is_wanted() throws Exception {
    var sent = new ArrayList<String>();
    var result = stage.run(mailing(sent, emails.only(Place.CALLS)));
    assertThat(sent).containsExactly("[redacted email]");
    var reply = (AssistantMessage) result.report().conversation().get(1);
    assertThat(reply.calls().getFirst().arguments())
        .isEqualTo("{\"address\":\"[redacted email]\"}");
  }

  @Test
  void only_the_configured_places_are_checked() throws Exception {
    var model = Stage.saying("bob@example.org");
    var result = stage.run(agent(model, emails.only(Place.INPUT, Place.RESULTS)));
    assertThat(result.answer()).isEqualTo("bob@example.org");
    assertThat(stage.text).hasToString("bob@example.org|");
    var other = Stage.saying("fine");
    agent(other, emails.only(Place.OUTPUT)).build().run("ann@example.org");
    assertThat(texts(other.requests().getFirst().messages())).containsExactly("ann@example.org");
  }

  @Test
  void a_match_can_be_masked_hashed_or_blocked() throws Exception {
    var card = "Card 4111 1111 1111 1111, mail ann@example.org";
    var both = Redacting.of(Pii.creditCard(), Pii.email());
    assertThat(said(both.masking(), card))
        .isEqualTo("Card **** **** **** 1111, mail ***@******e.org");
    var hashed = said(both.hashing("pepper"), card);
    assertThat(hashed).matches("Card \\[credit card [0-9a-f]{12}], mail \\[email [0-9a-f]{12}]");
    assertThat(said(both.hashing("pepper"), card)).isEqualTo(hashed);
    assertThat(said(both.hashing("salt"), card)).isNotEqualTo(hashed);
    assertThatThrownBy(() -> said(both.blocking(), card))
        .isInstanceOfSatisfying(
            ContentBlocked.class,
            e -> {
              assertThat(e.what()).isEqualTo("it has credit card, email");
              assertThat(e.getMessage()).doesNotContain("4111");
            });
    assertThat(said(both.blocking(), "harmless")).isEqualTo("harmless");
  }

  private String said(Redacting redacting, String text) throws InterruptedException {
    var model = Stage.saying("Hello");
    stage.on(RunOptions.defaults());
    agent(model, redacting).build().run(text, stage.options());
    return model.requests().getFirst().messages().getFirst().text();
  }

  @Test
  void a_forbidden_output_is_not_streamed() {
    var agent = agent(Stage.saying("It is " + KEY), Redacting.of(Secrets.all()).blocking());
    assertThatThrownBy(() -> stage.run(agent))
        .isInstanceOf(ContentBlocked.class)
        .hasMessageContaining("stopped the output: it has api key")
        .hasMessageNotContaining(KEY);
    assertThat(stage.text).isEmpty();
  }

  @Test
  void overlapping_matches_are_redacted_as_one() {
    var redactor =
        new Redactor(List.of(Pii.url(), Pii.email(), Secrets.of(KEY)), new Redaction.Named());
    assertThat(redactor.text("https://ann@example.org/" + KEY + " x"))
        .isEqualTo("[redacted url] x");
    assertThat(redactor.found()).containsExactly(java.util.Map.entry("url", 1));
    assertThat(redactor.text("nothing")).isEqualTo("nothing");
  }

  @Test
  void all_parts_of_a_message_are_looked_at() {
    var redactor = new Redactor(List.of(Pii.email(), Pii.creditCard()), new Redaction.Named());
    var picture = new Content.Image("image/png", "YUBiLmNvbQ");
    var sealed = new Content.Seal("anthropic", Json.parse("{}"));
    var parts =
        List.<Content>of(
            new Content.Text("a@b.com"),
            new Content.Data(
                Json.parse("{\"to\":[\"a@b.com\",1,true,null],\"card\":4111111111111111}")),
            new Content.Thinking("of a@b.com", Optional.empty()),
            new Content.Thinking("of a@b.com", Optional.of(sealed)),
            new Content.Thinking("of nobody", Optional.of(sealed)),
            picture);
    assertThat(redactor.content(parts))
        .containsExactly(
            new Content.Text("[redacted email]"),
            new Content.Data(
                Json.parse(
                    "{\"to\":[\"[redacted email]\",1,true,null],\"card\":\"[redacted credit"
                        + " card]\"}")),
            new Content.Thinking("of [redacted email]", Optional.empty()),
            new Content.Thinking("of nobody", Optional.of(sealed)),
            picture);
    assertThat(redactor.calls(List.of(call("c", "t", "{\"a\": broken a@b.com"))))
        .containsExactly(call("c", "t", "{\"a\": broken [redacted email]"));
  }

  @Test
  void pictures_and_ids_stay_when_a_message_is_rewritten() throws Exception {
    var model = Stage.saying("Hello");
    var picture = new Content.Image("image/png", "AAAA");
    List<Message> said =
        List.of(new UserMessage("m1", List.of(new Content.Text("a@b.com"), picture)));
    var result = agent(model, emails).build().run(said, RunOptions.defaults());
    assertThat(result.report().conversation().getFirst())
        .isEqualTo(new UserMessage("m1", List.of(new Content.Text("[redacted email]"), picture)));
  }

  @Test
  void secrets_of_a_sub_agent_are_redacted_from_its_answer() throws Exception {
    var other = agent(Stage.saying("It is " + KEY)).build();
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "test", "{\"task\":\"look\"}")),
            ScriptedModel.text("Done."));
    var result = agent(model, Redacting.of(Secrets.all())).agent(other, "Looks.").build().run("Hi");
    assertThat(texts(result.report().conversation()))
        .containsExactly("Hi", "", "It is [redacted api key]", "Done.");
    assertThat(texts(model.requests().get(1).messages())).contains("It is [redacted api key]");
  }

  @Test
  void useless_settings_are_refused() {
    assertThatThrownBy(Redacting::of).hasMessage("detectors must hold one");
    assertThatThrownBy(() -> emails.hashing("")).hasMessage("key must not be blank");
    assertThat(new Redaction.Hashed("pepper").toString()).doesNotContain("pepper");
  }
}
