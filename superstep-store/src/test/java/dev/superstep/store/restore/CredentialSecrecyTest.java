package dev.superstep.store.restore;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.credential.ConsentRequest;
import dev.superstep.credential.Credential;
import dev.superstep.credential.CredentialVault;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.credential.ServiceCredentials;
import dev.superstep.event.Detail;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.run.Durability;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Nothing that is stored or told has a credential: every byte is searched for it.
@Timeout(60)
final class CredentialSecrecyTest {
  private static final String SECRET = "tok-7f3a-secret-91c2";
  private static final RunPrincipal ADA = new RunPrincipal("ada");

  @TempDir Path folder;

  record Nothing() {}

  private final CredentialVault vault = CredentialVault.inMemory();
  private final StringBuilder told = new StringBuilder();

  private Agent<String> agent(ChatModel boss) {
    var mail = ServiceCredentials.of(vault.provider(_ -> Optional.empty()), "mail");
    var echo = mail.tool("echo", "Echoes.", Nothing.class, (_, c, _) -> "sent with " + c.secret());
    var fail =
        mail.tool(
            "fail",
            "Fails.",
            Nothing.class,
            (_, c, _) -> {
              throw new IOException("refused: Bearer " + c.secret());
            });
    var clerk =
        Agent.named("clerk")
            .model(
                ScriptedModel.by(request ->
                    request.messages().size() > 2
                        ? ScriptedModel.text("Did it.")
                        : ScriptedModel.calls(
                            new ToolCall("e", "echo", "{}"), new ToolCall("f", "fail", "{}"))))
            .tools(echo, fail)
            .build();
    return Agent.named("boss").model(boss).agent(clerk, "Works.").tools(echo).build();
  }

  private RunOptions options(SqliteCheckpointer store, Durability durability) {
    return ADA.in(
        RunOptions.thread("t")
            .checkpoints(store)
            .durability(durability)
            .journal()
            .details(Detail.values())
            .listener(event -> told.append(event)));
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void no_stored_byte_and_no_event_has_the_secret(Durability durability) throws Exception {
    var task = new ToolCall("k", "clerk", "{\"task\":\"Do it.\"}");
    AgentResult.Waiting<String> waiting;
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      var boss = agent(ScriptedModel.replying(ScriptedModel.calls(task)));
      waiting = (AgentResult.Waiting<String>) boss.run("Go.", options(store, durability));
    }
    vault.put(ADA, "mail", Credential.of(SECRET));
    var texts = new ArrayList<String>();
    try (var store = SqliteCheckpointer.open(folder.resolve("threads.db"))) {
      var boss = agent(ScriptedModel.saying("Done."));
      var answers = Answers.none();
      for (var open : waiting.questions()) {
        answers = answers.and(ConsentRequest.QUESTION.answer(open, Approval.yes()));
      }
      var result = boss.resume(answers, options(store, durability));
      assertThat(result.answer()).isEqualTo("Done.");
      texts.add(result.toString());
      texts.add(result.report().toString());
      texts.add(options(store, durability).toString());
    }
    texts.add(told.toString());
    try (var files = Files.list(folder)) {
      for (var file : files.toList()) texts.add(Files.readString(file, ISO_8859_1));
    }
    assertThat(String.join("\n", texts))
        .contains("sent with [hidden]")
        .contains("refused: Bearer [hidden]")
        .doesNotContain(SECRET)
        .doesNotContain("7f3a-secret");
  }
}
