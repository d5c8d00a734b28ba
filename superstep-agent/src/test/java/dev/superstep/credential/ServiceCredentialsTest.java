package dev.superstep.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.node.Question;
import dev.superstep.run.Answers;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServiceCredentialsTest {
  record Folder(String name) {}

  private static final RunPrincipal ADA = new RunPrincipal("ada");
  private static final RunPrincipal BOB = new RunPrincipal("bob");
  private static final Optional<URI> PAGE = Optional.of(URI.create("https://app.example/connect"));
  private static final ToolCall READ = new ToolCall("c1", "read_mail", "{\"name\":\"in\"}");

  private final CredentialVault vault = CredentialVault.inMemory();
  private final List<String> used = Collections.synchronizedList(new ArrayList<>());
  private final ServiceCredentials mail =
      ServiceCredentials.of(vault.provider(_ -> PAGE), "mail", "mail.read");
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();
  private final RunOptions options = RunOptions.thread("t").checkpoints(store);
  private final Tool read =
      mail.tool(
          "read_mail",
          "Reads mail.",
          Folder.class,
          (_, credential, _) -> {
            used.add(credential.secret());
            return "two mails";
          });

  private AgentBuilder agent(Tool tool, ToolCall... calls) {
    var replies = new ArrayList<dev.superstep.model.ChatReply>();
    for (var call : calls) replies.add(ScriptedModel.calls(call));
    replies.add(ScriptedModel.text("Done."));
    return Agent.named("clerk").model(ScriptedModel.replying(replies)).tools(tool);
  }

  private static Interrupt question(AgentResult<String> result) {
    return ((AgentResult.Waiting<String>) result).questions().getFirst();
  }

  private static Answers yes(Interrupt question) {
    return Answers.none().and(ConsentRequest.QUESTION.answer(question, Approval.yes()));
  }

  @Test
  void a_tool_acts_by_the_credential_of_the_runs_principal() throws Exception {
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    vault.put(BOB, "mail", Credential.of("bob-secret"));
    agent(read, READ).build().run("Mail?", ADA.in(RunOptions.defaults()));
    agent(read, READ).build().run("Mail?", BOB.in(RunOptions.defaults()));
    assertThat(used).containsExactly("ada-secret", "bob-secret");
  }

  @Test
  void a_missing_consent_is_a_question_that_another_instance_goes_on_from() throws Exception {
    var question = question(agent(read, READ).build().run("Mail?", ADA.in(options)));
    assertThat(ConsentRequest.QUESTION.read(question))
        .isEqualTo(
            new ConsentRequest(
                "ada",
                "mail",
                List.of("mail.read"),
                ConsentReason.MISSING,
                Optional.of("https://app.example/connect")));
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    var result = agent(read).build().resume(yes(question), ADA.in(options));
    assertThat(result.answer()).isEqualTo("Done.");
    assertThat(used).containsExactly("ada-secret");
  }

  @Test
  void a_yes_without_consent_is_asked_again_and_a_no_is_told_to_the_model() throws Exception {
    var first = question(agent(read, READ).build().run("Mail?", ADA.in(options)));
    var again = question(agent(read).build().resume(yes(first), ADA.in(options)));
    assertThat(again.id()).isNotEqualTo(first.id());
    var no = Answers.none().and(ConsentRequest.QUESTION.answer(again, Approval.no("Not mine.")));
    var result = agent(read).build().resume(no, ADA.in(options));
    assertThat(result.report().conversation())
        .anySatisfy(message ->
            assertThat(message.text()).contains("does not allow access to `mail`. Not mine."));
    assertThat(used).isEmpty();
  }

  @Test
  void another_principal_who_resumes_does_not_inherit_the_credential_and_is_asked_for_their_own()
      throws Exception {
    var first = question(agent(read, READ).build().run("Mail?", ADA.in(options)));
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    var second = question(agent(read).build().resume(yes(first), BOB.in(options)));
    assertThat(ConsentRequest.QUESTION.read(second).principal()).isEqualTo("bob");
    assertThat(used).isEmpty();
    vault.put(BOB, "mail", Credential.of("bob-secret"));
    agent(read).build().resume(yes(second), BOB.in(options));
    assertThat(used).containsExactly("bob-secret");
  }

  @Test
  void a_question_of_the_work_is_not_answered_by_the_consent_before_it() throws Exception {
    var which = Question.of("which", Folder.class, Folder.class);
    var asking =
        mail.tool(
                "read_mail",
                "Reads mail.",
                Folder.class,
                (_, _, context) -> "from " + context.ask(which, new Folder("?")).name())
            .withQuestions(ConsentRequest.QUESTION, which);
    var consent = question(agent(asking, READ).build().run("Mail?", ADA.in(options)));
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    var next = question(agent(asking).build().resume(yes(consent), ADA.in(options)));
    assertThat(next.question()).isEqualTo("which");
    var answer = Answers.none().and(which.answer(next, new Folder("archive")));
    var result = agent(asking).build().resume(answer, ADA.in(options));
    assertThat(result.report().conversation())
        .anySatisfy(message -> assertThat(message.text()).isEqualTo("from archive"));
  }

  @Test
  void a_run_for_nobody_has_no_credential() throws Exception {
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    var first = question(agent(read, READ, READ).build().run("Mail?", BOB.in(options)));
    var result = agent(read).build().resume(yes(first), options);
    assertThat(result.report().conversation())
        .anySatisfy(message -> assertThat(message.text()).contains("The run has no principal"));
    assertThat(used).isEmpty();
  }

  @Test
  void an_expired_credential_asks_and_a_rejected_one_is_looked_up_once_more() throws Exception {
    vault.put(ADA, "mail", Credential.of("old").until(Instant.EPOCH));
    var question = question(agent(read, READ).build().run("Mail?", ADA.in(options)));
    assertThat(ConsentRequest.QUESTION.read(question).reason()).isEqualTo(ConsentReason.EXPIRED);

    vault.put(ADA, "mail", Credential.of("refused"));
    var refusing =
        mail.tool(
            "read_mail",
            "Reads mail.",
            Folder.class,
            (_, credential, _) -> {
              used.add(credential.secret());
              if (credential.secret().equals("refused")) throw new CredentialRejected("401");
              return "mails";
            });
    var next = question(agent(refusing).build().resume(yes(question), ADA.in(options)));
    assertThat(used).containsExactly("refused");
    vault.put(ADA, "mail", Credential.of("fresh"));
    agent(refusing).build().resume(yes(next), ADA.in(options));
    assertThat(used).containsExactly("refused", "fresh");
  }

  @Test
  void sub_agents_and_forks_act_by_the_principal_of_their_own_run() throws Exception {
    vault.put(ADA, "mail", Credential.of("ada-secret"));
    vault.put(BOB, "mail", Credential.of("bob-secret"));
    var clerk = agent(read, READ).build();
    var task = new ToolCall("k", "clerk", "{\"task\":\"Read the mail.\"}");
    var boss =
        Agent.named("boss")
            .model(ScriptedModel.replying(ScriptedModel.calls(task), ScriptedModel.text("Read.")))
            .agent(clerk, "Reads mail.")
            .build();
    boss.run("Mail?", ADA.in(options));
    assertThat(used).containsExactly("ada-secret");
    var own = RunOptions.thread("own").checkpoints(store);
    agent(read).build().run("Hello", ADA.in(own));
    var end = Threads.in(store).history("own", Optional.empty(), 1).getFirst();
    Threads.in(store).fork("own", end.id(), "copy");
    var copy = RunOptions.thread("copy").checkpoints(store);
    agent(read, READ).build().run("Mail?", BOB.in(copy));
    assertThat(used).containsExactly("ada-secret", "bob-secret");
  }

  @Test
  void the_secret_is_taken_out_of_results_and_errors() throws Exception {
    var secret = "s3cret-\"quoted\"-value";
    vault.put(ADA, "mail", Credential.of(secret));
    var echoes =
        List.<ServiceCredentials.Handler<Folder>>of(
            (_, c, _) -> "sent " + c.secret(),
            (_, c, _) -> Json.of(List.of(c.secret())),
            (_, c, _) -> ToolResult.of("x").withArtifact(Json.string(c.secret())),
            (_, c, _) -> new Folder(c.secret()),
            (_, c, _) -> {
              throw new IllegalStateException("refused", new RuntimeException(c.secret()));
            },
            (_, c, _) -> {
              throw new IllegalStateException("bad token " + c.secret());
            });
    for (var echo : echoes) {
      var tool = mail.tool("read_mail", "Reads mail.", Folder.class, echo);
      var result = agent(tool, READ).build().run("Mail?", ADA.in(RunOptions.defaults()));
      var all = Json.of(result.report().conversation().toString()).text();
      assertThat(all).contains("c1").doesNotContain("s3cret-");
    }
  }

  /// Errors whose own words are harmless.
  private static List<Throwable> errorsThatTell(String secret) {
    var teller = new IllegalArgumentException("bad token " + secret);
    var suppressing = new IllegalStateException("not closed");
    suppressing.addSuppressed(new IOException("close", teller));
    Throwable deep = teller;
    for (int i = 0; i < 50; i++) deep = new IllegalStateException("step " + i, deep);
    var first = new IllegalStateException("first");
    var circle = new IllegalStateException("second", first);
    first.initCause(circle);
    circle.addSuppressed(teller);
    Throwable endless = new IllegalStateException("end");
    for (int i = 0; i < 1_000; i++) endless = new IllegalStateException("step " + i, endless);
    var cause = new AssertionError("wrong");
    cause.addSuppressed(teller);
    return List.of(
        suppressing,
        deep,
        circle,
        endless,
        new AssertionError("token " + secret),
        new StackOverflowError(secret),
        cause,
        new InterruptedException("while asking with " + secret));
  }

  @Test
  void an_error_that_tells_the_secret_anywhere_is_replaced_by_one_that_does_not() {
    var secret = "s3cret-value";
    var scrubber = SecretScrubber.of(Credential.of(secret));
    for (var error : errorsThatTell(secret)) {
      var hidden =
          error instanceof Error bad ? scrubber.error(bad) : scrubber.exception((Exception) error);
      assertThat(hidden).isNotSameAs(error).hasNoCause().hasNoSuppressedExceptions();
      assertThat(hidden.toString()).doesNotContain(secret);
      assertThat(hidden.getStackTrace()).isEqualTo(error.getStackTrace());
      assertThat(hidden instanceof Error).isEqualTo(error instanceof Error);
      assertThat(hidden instanceof InterruptedException)
          .isEqualTo(error instanceof InterruptedException);
    }
    var harmless = new AssertionError("wrong", new IOException("gone"));
    assertThat(scrubber.error(harmless)).isSameAs(harmless);
    var plain = new IllegalStateException("wrong", new IOException("gone"));
    assertThat(scrubber.exception(plain)).isSameAs(plain);
  }

  @Test
  void an_error_of_the_work_of_a_tool_is_searched_too() {
    vault.put(ADA, "mail", Credential.of("s3cret-value"));
    var tool =
        mail.tool(
            "read_mail",
            "Reads mail.",
            Folder.class,
            (_, c, _) -> {
              throw new AssertionError("token " + c.secret());
            });
    var told = new StringWriter();
    try {
      var result = agent(tool, READ).build().run("Mail?", ADA.in(RunOptions.defaults()));
      told.append(result.report().conversation().toString());
    } catch (Throwable e) {
      e.printStackTrace(new PrintWriter(told));
    }
    assertThat(told.toString()).contains("token [hidden]").doesNotContain("s3cret-value");
  }

  record Echo(long pin) {}

  @Test
  void the_secret_is_taken_out_of_numbers_and_links() throws Exception {
    vault.put(ADA, "mail", Credential.of("4711000815"));
    var link = URI.create("https://mail.example/4711000815.png");
    var echoes =
        List.<ServiceCredentials.Handler<Folder>>of(
            (_, c, _) -> new Echo(Long.parseLong(c.secret())),
            (_, c, _) -> ToolResult.of("x").withArtifact(Json.of(new Echo(4711000815L))),
            (_, c, _) -> ToolResult.of(List.of(new Content.ImageLink(link))));
    for (var echo : echoes) {
      var tool = mail.tool("read_mail", "Reads mail.", Folder.class, echo);
      var result = agent(tool, READ).build().run("Mail?", ADA.in(RunOptions.defaults()));
      assertThat(result.report().conversation().toString())
          .contains("c1")
          .doesNotContain("4711000815");
    }
  }

  @Test
  void a_secret_that_a_link_encodes_is_taken_out() throws Exception {
    vault.put(ADA, "mail", Credential.of("ab+/cd=="));
    var tool =
        mail.tool(
            "read_mail", "Reads mail.", Folder.class, (_, _, _) -> "at /mail?key=ab%2B%2Fcd%3D%3D");
    var result = agent(tool, READ).build().run("Mail?", ADA.in(RunOptions.defaults()));
    assertThat(result.report().conversation().toString())
        .contains("[hidden]")
        .doesNotContain("ab%2B");
  }

  @Test
  void a_credential_tells_nothing_of_itself() {
    var credential = Credential.of("abc-secret");
    assertThat(credential.toString()).doesNotContain("abc-secret");
    assertThat(new CredentialAnswer.Granted(credential).toString()).doesNotContain("abc-secret");
  }
}
