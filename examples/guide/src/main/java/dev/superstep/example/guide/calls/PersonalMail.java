package dev.superstep.example.guide.calls;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.credential.ConsentRequest;
import dev.superstep.credential.Credential;
import dev.superstep.credential.CredentialProvider;
import dev.superstep.credential.CredentialVault;
import dev.superstep.credential.RunPrincipal;
import dev.superstep.credential.ServiceCredentials;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Approval;
import dev.superstep.run.Answers;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import java.net.URI;
import java.util.Optional;

/// An agent that reads the mail of whoever it works for. The model is scripted.
public final class PersonalMail {
  private PersonalMail() {}

  record Folder(@Description("Such as `inbox`.") String name) {}

  static Tool listMail(CredentialProvider provider) {
    return ServiceCredentials.of(provider, "mail", "mail.read")
        .tool(
            "list_mail",
            "Lists the mail of a folder.",
            Folder.class,
            (folder, credential, _) -> fetch(folder, credential));
  }

  /// In place of a request with the header `Authorization: Bearer ...`.
  private static String fetch(Folder folder, Credential credential) {
    return "2 mails in " + folder.name() + ", by " + credential.secret();
  }

  static Agent<String> agent(ChatModel model, Tool tool) {
    return Agent.named("mail").model(model).tools(tool).build();
  }

  static ChatModel model() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "list_mail", "{\"name\":\"inbox\"}")),
        ScriptedModel.text("Two mails."));
  }

  public static void main(String[] args) throws InterruptedException {
    var vault = CredentialVault.inMemory();
    var page = Optional.of(URI.create("https://app.example/connect/mail"));
    var agent = agent(model(), listMail(vault.provider(_ -> page)));
    var ada = new RunPrincipal("ada");
    var options = ada.in(RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer()));

    if (agent.run("Any mail?", options) instanceof AgentResult.Waiting<String>(var questions)) {
      var asked = ConsentRequest.QUESTION.read(questions.getFirst());
      System.out.println(asked.principal() + ", open " + asked.page().orElseThrow());

      // The page does this when Ada has consented.
      vault.put(ada, "mail", Credential.of("token-of-ada"));
      var yes = Answers.to(ConsentRequest.QUESTION, Approval.yes());
      var result = agent.resume(yes, options);
      result
          .report()
          .conversation()
          .forEach(message -> {
            if (!message.text().isEmpty()) System.out.println(message.text());
          });
    }
  }
}
